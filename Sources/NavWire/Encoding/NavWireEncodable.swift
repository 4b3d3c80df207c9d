// SPDX-License-Identifier: Apache-2.0

/// A type that writes itself without the detour over `Codable`'s containers: one half of ``NavWireCodable``.
///
/// Not for conformances that belong to an actor: values are written wherever an encoder is called.
public protocol NavWireEncodable: SendableMetatype {
    func write(to writer: inout NavWireWriter) throws
}

extension UnsafeMutablePointer where Pointee == EncoderState {
    /// Writes a document that is a value which writes itself.
    @inline(__always)
    func encodeDocument<Value: NavWireEncodable>(direct value: Value) throws {
        unsafe try writeAlone(value)
        if unsafe pointee.writer.hasDuplicateKeys {
            unsafe try pointee.moveToTree()
            unsafe try finishTree()
        }
    }

    @inline(__always)
    private func writeAlone<Value: NavWireEncodable>(_ value: Value) throws {
        unsafe pointee.directDepth = 0
        defer { unsafe pointee.directDepth = -1 }
        var writer = unsafe NavWireWriter(self)
        defer { unsafe writer.checkIsWriter(of: self) }
        try value.write(to: &writer)
        try writer.checkDocument(Value.self)
    }
}

extension NavWireEncodable {
    static func encodeErased(_ value: UnsafeRawPointer, _ state: UnsafeMutablePointer<EncoderState>) throws {
        let place = unsafe state.pointee.place
        let token = unsafe state.pointee.writer.token
        unsafe state.pointee.writer.token = PayloadWriter.NoHandle.direct
        let outerDepth = unsafe state.pointee.directDepth
        unsafe state.pointee.directDepth = place.depth
        defer {
            unsafe state.pointee.directDepth = outerDepth
            if unsafe state.pointee.writer.token == PayloadWriter.NoHandle.direct {
                unsafe state.pointee.writer.token = token
            }
        }
        var writer = unsafe NavWireWriter(state)
        defer { unsafe writer.checkIsWriter(of: state) }
        do {
            unsafe try value.assumingMemoryBound(to: Self.self).pointee.write(to: &writer)
        } catch {
            writer.checkFailed(at: place)
            throw error
        }
        try writer.checkValue(Self.self, at: place)
    }
}
