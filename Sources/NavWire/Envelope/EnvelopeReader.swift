// SPDX-License-Identifier: Apache-2.0

/// Takes a payload out of its envelope.
enum EnvelopeReader {
    /// Calls `body` with the uncompressed payload, which is not copied when it was not compressed.
    static func withPayload<Result>(
        of envelope: UnsafeRawBufferPointer, limits: NavWireLimits, dictionary: NavWireDictionary? = nil,
        _ body: (UnsafeRawBufferPointer) throws(NavWireError) -> Result
    ) throws(NavWireError) -> Result {
        let header = unsafe try EnvelopeHeader(envelope, limits: limits)
        guard header.flags.contains(.compressed) else { return unsafe try body(stored(envelope, header)) }
        let target = UnsafeMutableRawBufferPointer.allocate(byteCount: header.payloadByteCount, alignment: 16)
        defer { unsafe target.deallocate() }
        unsafe try decompress(envelope, header, dictionary, into: target)
        return unsafe try body(UnsafeRawBufferPointer(target))
    }

    /// Puts the uncompressed payload in the place of what `target` held.
    static func read(
        _ envelope: UnsafeRawBufferPointer, limits: NavWireLimits, dictionary: NavWireDictionary?,
        into target: inout ByteBuffer
    ) throws(NavWireError) {
        target.removeAll()
        let header = unsafe try EnvelopeHeader(envelope, limits: limits)
        guard header.flags.contains(.compressed) else { return unsafe target.append(stored(envelope, header)) }
        let room = unsafe target.extend(by: header.payloadByteCount)
        unsafe try decompress(envelope, header, dictionary, into: room)
    }

    private static func stored(
        _ envelope: UnsafeRawBufferPointer, _ header: EnvelopeHeader
    ) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(
            rebasing: envelope[header.end..<(envelope.count - EnvelopeHeader.checksumByteCount)])
    }

    /// `target` has as many bytes as the payload.
    private static func decompress(
        _ envelope: UnsafeRawBufferPointer, _ header: EnvelopeHeader, _ dictionary: NavWireDictionary?,
        into target: UnsafeMutableRawBufferPointer
    ) throws(NavWireError) {
        let digest = try contexts(header, dictionary)
        let stored = unsafe stored(envelope, header)
        let split = header.payloadByteCount - header.tailByteCount
        let frameEnd = stored.count - header.tailByteCount
        unsafe try Zstd.decompress(
            UnsafeRawBufferPointer(rebasing: stored[..<frameEnd]), dictionary: digest,
            into: UnsafeMutableRawBufferPointer(rebasing: target[..<split]))
        unsafe UnsafeMutableRawBufferPointer(rebasing: target[split...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: stored[frameEnd...]))
    }

    private static func contexts(
        _ header: EnvelopeHeader, _ given: NavWireDictionary?
    ) throws(NavWireError) -> DictionaryContexts? {
        guard header.flags.contains(.dictionary) else { return nil }
        if let given, given.id == header.dictionary { return given.contexts }
        if header.dictionary == NavWireDictionary.shipped.id { return NavWireDictionary.shipped.contexts }
        let id = String(header.dictionary, radix: 16)
        let isShipped = header.dictionary < NavWireDictionary.firstTrained
        let name = isShipped ? "ships with a newer library" : "was trained and must be given"
        throw NavWireError(code: .unknownDictionary, reason: "the envelope needs the dictionary \(id), which \(name)")
    }
}
