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

    /// The value in an envelope.
    public func decode<Value: Decodable>(_ type: Value.Type, from envelope: [UInt8]) throws -> Value {
        try withRoot(of: envelope) { try $0.value(type) }
    }

    /// A value that reads itself.
    public func decode<Value: NavWireCodable>(direct type: Value.Type, from envelope: [UInt8]) throws -> Value {
        try withRoot(of: envelope) { try Value(from: NavWireReader($0)) }
    }

    private func withRoot<Value>(of envelope: [UInt8], _ body: (WireDecoder) throws -> Value) throws -> Value {
        let state = unsafe Self.states.take()
        defer {
            unsafe state.pointee.end()
            unsafe Self.states.give(state)
        }
        unsafe state.pointee.begin(userInfo: userInfo)
        let result = unsafe try envelope.withBytes { bytes throws(NavWireError) in
            unsafe try EnvelopeReader.withPayload(of: bytes, limits: limits, dictionary: dictionary) {
                payload throws(NavWireError) in
                unsafe try state.pointee.scanner.scan(payload, limits: limits)
                return Result { unsafe try body(state.root) }
            }
        }
        return try result.get()
    }

    static let states = ScratchPool { DecoderState() }
}

extension UnsafeMutablePointer where Pointee == DecoderState {
    /// The place of the one value of a scanned payload.
    var root: WireDecoder { unsafe WireDecoder(state: self, session: pointee.session, index: 0, isImported: false) }

    /// The value of a scanned payload; of a path, the flat array of tags and values.
    func decodeRoot<Value: Decodable>(_ type: Value.Type) throws -> Value {
        unsafe try root.value(type)
    }
}

extension NativeValue {
    /// The Swift value.
    public func decode<Value: Decodable>(
        _ type: Value.Type, limits: NavWireLimits = .default, userInfo: [CodingUserInfoKey: Any] = [:]
    ) throws -> Value {
        let state = unsafe NavWireDecoder.states.take()
        defer {
            unsafe state.pointee.end()
            unsafe NavWireDecoder.states.give(state)
        }
        unsafe state.pointee.begin(userInfo: userInfo)
        let result = unsafe try payload.withBytes { bytes throws(NavWireError) in
            unsafe try state.pointee.scanner.scan(bytes, limits: limits)
            return Result { unsafe try state.decodeRoot(type) }
        }
        return try result.get()
    }
}
