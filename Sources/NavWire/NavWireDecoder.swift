// SPDX-License-Identifier: Apache-2.0

/// Decodes values from envelopes.
///
/// The whole envelope is checked before the first value is made: damaged or hostile bytes throw `NavWireError`, whatever
/// type was asked for. What a type cannot be made from throws `DecodingError`. A decoder can be used from several
/// threads at once.
public struct NavWireDecoder: Sendable {
    public var limits: NavWireLimits
    /// The dictionary that envelopes were made with, when it is not one that ships.
    public var dictionary: NavWireDictionary?
    /// Handed to the values' `init(from:)`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    public init(limits: NavWireLimits = .default, dictionary: NavWireDictionary? = nil) {
        self.limits = limits
        self.dictionary = dictionary
    }

    /// The value in an envelope. That of a path is refused: ``PathEnvelope`` reads it.
    public func decode<Value: Decodable>(_ type: Value.Type, from envelope: [UInt8]) throws -> Value {
        let state = unsafe try open(envelope)
        defer { unsafe DecoderState.close(state) }
        return unsafe try state.root.value(type)
    }

    /// A value that reads itself.
    public func decode<Value: NavWireDecodable>(direct type: Value.Type, from envelope: [UInt8]) throws -> Value {
        let state = unsafe try open(envelope)
        defer { unsafe DecoderState.close(state) }
        return unsafe try Value(from: NavWireReader(state.root))
    }

    private func open(_ envelope: [UInt8]) throws(NavWireError) -> UnsafeMutablePointer<DecoderState> {
        let state = unsafe DecoderState.pool.take()
        do throws(NavWireError) {
            unsafe try state.pointee.open(envelope, limits: limits, dictionary: dictionary)
            guard unsafe !state.pointee.scanner.isPath else {
                throw NavWireError(code: .malformed, reason: "the envelope holds a path, not a single value")
            }
        } catch {
            unsafe DecoderState.close(state)
            throw error
        }
        if !userInfo.isEmpty { unsafe state.pointee.userInfo = userInfo }
        return unsafe state
    }
}

extension UnsafeMutablePointer where Pointee == DecoderState {
    /// The place of the one value of a scanned payload.
    var root: WireDecoder { unsafe WireDecoder(state: self, session: pointee.session, index: 0) }
}

extension NativeValue {
    /// The Swift value. Without limits there are none: those that the value was accepted with hold already.
    public func decode<Value: Decodable>(
        _ type: Value.Type, limits: NavWireLimits? = nil, userInfo: [CodingUserInfoKey: Any] = [:]
    ) throws -> Value {
        let state = unsafe DecoderState.pool.take()
        defer { unsafe DecoderState.close(state) }
        unsafe try state.pointee.open(payload: payload, limits: limits?.forValueAlone ?? .boundless)
        unsafe state.pointee.userInfo = userInfo
        return unsafe try state.root.value(type)
    }
}
