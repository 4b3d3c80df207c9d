// SPDX-License-Identifier: Apache-2.0

/// Encodes values into envelopes.
///
/// The bytes describe themselves: they can be inspected, and exported as JSON, without the types that wrote them.
/// Equal values give equal payloads in every process, since sets and dictionaries are written in the order of their
/// content; values are equal when they encode alike, which `0.0` and `-0.0` do not. An encoder can be used from several
/// threads at once.
public struct NavWireEncoder: Sendable {
    public var options: NavWireOptions
    /// Handed to the values' `encode(to:)`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// An encoder that does not compress unless `options` say so.
    public init(options: NavWireOptions = .init(compression: .none)) {
        self.options = options
    }

    /// The envelope of a value.
    ///
    /// Throws what the value's `encode(to:)` throws, and `NavWireError` where a limit is broken.
    public func encode(_ value: some Encodable) throws -> [UInt8] {
        let state = unsafe EncoderState.pool.take()
        defer { unsafe EncoderState.close(state) }
        unsafe state.pointee.begin(limits: options.limits, userInfo: passedOn)
        unsafe try state.writeDocument {
            unsafe try state.encodeDocument(value)
            unsafe try state.finishTree()
        }
        return unsafe try EnvelopeWriter.envelope(of: &state.pointee.writer, options: options)
    }

    /// The envelope of a value that writes itself: the same bytes, sooner.
    public func encode<Value: NavWireEncodable>(direct value: Value) throws -> [UInt8] {
        let state = unsafe EncoderState.pool.take()
        defer { unsafe EncoderState.close(state) }
        unsafe state.pointee.begin(limits: options.limits, userInfo: passedOn)
        unsafe try state.writeDocument(direct: value)
        return unsafe try EnvelopeWriter.envelope(of: &state.pointee.writer, options: options)
    }

    private var passedOn: [CodingUserInfoKey: Any]? { userInfo.isEmpty ? nil : userInfo as [CodingUserInfoKey: Any] }
}

extension NativeValue {
    /// The content of a Swift value.
    public init(
        encoding value: some Encodable, limits: NavWireLimits = .default, userInfo: [CodingUserInfoKey: Any] = [:]
    ) throws {
        self = try Self.encode(value, limits: limits, userInfo: userInfo).value
    }

    /// The content of a Swift value, and how many bytes of a path it takes at least.
    static func encode(
        _ value: some Encodable, limits: NavWireLimits, userInfo: [CodingUserInfoKey: Any]
    ) throws -> (value: Self, leastByteCount: Int) {
        let state = unsafe EncoderState.pool.take()
        defer { unsafe EncoderState.close(state) }
        unsafe state.pointee.begin(limits: limits.forValueAlone, userInfo: userInfo)
        unsafe try state.writeDocument {
            unsafe try state.encodeDocument(value)
            unsafe try state.finishTree()
        }
        let payload = unsafe try state.pointee.writer.payload()
        let growth = unsafe NavWireLimits.growthAlone(state.pointee.writer.valueCount)
        return (Self(verifiedPayload: payload), payload.count - growth)
    }
}

extension NativeNode {
    init(encoding value: some Encodable, limits: NavWireLimits, userInfo: [CodingUserInfoKey: Any]) throws {
        self = try NativeValue(encoding: value, limits: limits, userInfo: userInfo).node(limits: limits)
    }
}
