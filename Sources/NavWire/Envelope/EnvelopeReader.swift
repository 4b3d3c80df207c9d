// SPDX-License-Identifier: Apache-2.0

/// Takes a payload out of its envelope.
enum EnvelopeReader {
    /// Calls `body` with the uncompressed payload, which is not copied when it was not compressed.
    static func withPayload<Result>(
        of envelope: UnsafeRawBufferPointer, limits: NavWireLimits, dictionary: NavWireDictionary? = nil,
        _ body: (UnsafeRawBufferPointer) throws(NavWireError) -> Result
    ) throws(NavWireError) -> Result {
        let header = unsafe try EnvelopeHeader(envelope, limits: limits)
        let stored = unsafe UnsafeRawBufferPointer(
            rebasing: envelope[header.end..<(envelope.count - EnvelopeHeader.checksumByteCount)])
        guard header.flags.contains(.compressed) else { return unsafe try body(stored) }
        let digest = try contexts(header, dictionary)
        let target = UnsafeMutableRawBufferPointer.allocate(byteCount: header.payloadByteCount, alignment: 16)
        defer { unsafe target.deallocate() }
        let split = header.payloadByteCount - header.tailByteCount
        let frameEnd = stored.count - header.tailByteCount
        unsafe try Zstd.decompress(
            UnsafeRawBufferPointer(rebasing: stored[..<frameEnd]), dictionary: digest,
            into: UnsafeMutableRawBufferPointer(rebasing: target[..<split]))
        unsafe UnsafeMutableRawBufferPointer(rebasing: target[split...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: stored[frameEnd...]))
        return unsafe try body(UnsafeRawBufferPointer(target))
    }

    private static func contexts(
        _ header: EnvelopeHeader, _ given: NavWireDictionary?
    ) throws(NavWireError) -> DictionaryContexts? {
        guard header.flags.contains(.dictionary) else { return nil }
        if let given, given.id == header.dictionary { return given.contexts }
        if header.dictionary == NavWireDictionary.shipped.id { return NavWireDictionary.shipped.contexts }
        let id = String(header.dictionary, radix: 16)
        let name = header.dictionary < 1 << 32 ? "ships with a newer library" : "was trained and must be given"
        throw NavWireError(code: .unknownDictionary, reason: "the envelope needs the dictionary \(id), which \(name)")
    }
}
