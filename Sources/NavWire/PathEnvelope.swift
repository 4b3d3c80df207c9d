// SPDX-License-Identifier: Apache-2.0

/// A path as bytes: what is stored, hashed and sent.
public enum PathEnvelope {
    /// Encodes a path, root-most element first.
    public static func encode(
        _ elements: [PathElement], options: NavWireOptions = .init()
    ) throws(NavWireError) -> [UInt8] {
        let state = unsafe PayloadWriter.pool.take()
        defer { unsafe PayloadWriter.close(state) }
        unsafe state.pointee.beginAlone(limits: options.limits)
        unsafe state.pointee.elementCount = elements.count
        for element in elements { try unsafe state.pointee.write(element) }
        return try unsafe EnvelopeWriter.envelope(of: &state.pointee, options: options)
    }

    /// Decodes a path, root-most element first. Refuses every byte that the one encoding of a path would not have.
    /// `dictionary` is the one that the envelope was made with, when it is not one that ships.
    public static func decode(
        _ envelope: [UInt8], limits: NavWireLimits = .default, dictionary: NavWireDictionary? = nil
    ) throws(NavWireError) -> [PathElement] {
        unsafe try withScanned(envelope, limits, dictionary) { scanner, _ throws(NavWireError) in
            try unsafe scanner.pointee.elements(limits: limits)
        }
    }

    /// Checks everything: header, checksum, compression and every byte of the payload. The uncompressed payload, which
    /// is what a content hash is made of; equal paths have equal ones.
    public static func verifiedPayload(
        of envelope: [UInt8], limits: NavWireLimits = .default, dictionary: NavWireDictionary? = nil
    ) throws(NavWireError) -> [UInt8] {
        unsafe try withScanned(envelope, limits, dictionary) { _, payload throws(NavWireError) in unsafe Array(payload)
        }
    }

    /// The payload of an envelope that holds a path or a single value, checked as `verifiedPayload` checks it.
    package static func anyPayload(of envelope: [UInt8], limits: NavWireLimits = .default) throws(NavWireError)
        -> [UInt8]
    {
        unsafe try withScanned(envelope, limits, nil, mustBePath: false) { _, payload throws(NavWireError) in
            unsafe Array(payload)
        }
    }

    /// Whether the bytes begin as an envelope does. Text in UTF-8 never does.
    public static func isEnvelope(_ bytes: [UInt8]) -> Bool {
        bytes.count > 2 && bytes[0] == EnvelopeHeader.magic.0 && bytes[1] == EnvelopeHeader.magic.1
    }

    /// What looking at an envelope can cost at most: the bytes that it says its payload has, or its own if these are more.
    /// Nothing is checked.
    package static func claimedByteCount(of envelope: [UInt8]) -> Int {
        guard isEnvelope(envelope) else { return envelope.count }
        var claimed = 0
        for (place, byte) in envelope.dropFirst(3).prefix(4).enumerated() {
            claimed |= Int(byte & 0x7F) << (7 * place)
            guard byte >= 0x80 else { break }
        }
        return max(envelope.count, claimed)
    }

    /// The id of the dictionary that an envelope needs; nil when it needs none. Checks the header and the checksum.
    public static func dictionaryID(
        of envelope: [UInt8], limits: NavWireLimits = .default
    ) throws(NavWireError) -> UInt64? {
        let header = try unsafe envelope.withBytes { bytes throws(NavWireError) in
            try unsafe EnvelopeHeader(bytes, limits: limits)
        }
        return header.flags.contains(.dictionary) ? header.dictionary : nil
    }

    static func withScanned<Result>(
        _ envelope: [UInt8], _ limits: NavWireLimits, _ dictionary: NavWireDictionary?, mustBePath: Bool = true,
        _ body: (UnsafeMutablePointer<PayloadScanner>, UnsafeRawBufferPointer) throws(NavWireError) -> Result
    ) throws(NavWireError) -> Result {
        let state = unsafe PayloadScanner.pool.take()
        defer { unsafe PayloadScanner.close(state) }
        return try unsafe envelope.withBytes { bytes throws(NavWireError) in
            try unsafe EnvelopeReader.withPayload(of: bytes, limits: limits, dictionary: dictionary) {
                payload throws(NavWireError) in
                try unsafe state.pointee.scan(payload, limits: limits)
                guard unsafe state.pointee.isPath || !mustBePath else {
                    throw NavWireError(code: .malformed, reason: "the envelope holds a single value, not a path")
                }
                return try unsafe body(state, payload)
            }
        }
    }
}
