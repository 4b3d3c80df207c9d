// SPDX-License-Identifier: Apache-2.0

/// An envelope explained part by part, for people.
public struct EnvelopeInspection: Hashable, Sendable {
    /// One part: where it stands, how long it is and what it says.
    public struct Line: Hashable, Sendable {
        public let label: String
        /// Into the envelope; for parts of a compressed payload, into the payload after decompression.
        public let offset: Int
        public let byteCount: Int
        public let text: String
    }

    public private(set) var lines: [Line] = []
    /// What was wrong, when the reading stopped before the end.
    public private(set) var fault: NavWireError?

    /// Explains as much as can be read. Never throws: of a damaged envelope it tells what is whole, and where it
    /// stopped.
    ///
    /// Tags and values have no more text in all than ``NavWireLimits/maximumJSONByteCount``; what is over it is left out, and
    /// the lines say so.
    public static func inspect(
        _ bytes: [UInt8], limits: NavWireLimits = .default, dictionary: NavWireDictionary? = nil
    ) -> EnvelopeInspection {
        var inspection = EnvelopeInspection()
        do throws(NavWireError) {
            try unsafe bytes.withBytes { bytes throws(NavWireError) in
                try unsafe inspection.explain(bytes, limits, dictionary)
            }
        } catch {
            inspection.fault = error
            inspection.add("stopped", error.offset ?? 0, 0, "\(error.reason)")
        }
        return inspection
    }

    private mutating func add(_ label: String, _ offset: Int, _ byteCount: Int, _ text: String) {
        lines.append(Line(label: label, offset: offset, byteCount: byteCount, text: text))
    }

    private mutating func explain(
        _ bytes: UnsafeRawBufferPointer, _ limits: NavWireLimits, _ dictionary: NavWireDictionary?
    ) throws(NavWireError) {
        if bytes.count > 2, unsafe bytes[0] == EnvelopeHeader.magic.0, unsafe bytes[1] == EnvelopeHeader.magic.1 {
            add("magic", 0, 2, "9E 4E")
            add("version", 2, 1, unsafe "\(bytes[2] >> 4), flags 0x\(String(bytes[2] & 0x0F, radix: 16))")
        }
        let header = try unsafe EnvelopeHeader(bytes, limits: limits)
        let stored = bytes.count - EnvelopeHeader.checksumByteCount - header.end
        add("payload length", 3, Varint.byteCount(UInt64(header.payloadByteCount)), "\(header.payloadByteCount) bytes")
        if header.flags.contains(.compressed) {
            let name = header.flags.contains(.dictionary) ? ", dictionary \(String(header.dictionary, radix: 16))" : ""
            add("zstd frame", header.end, stored - header.tailByteCount, "\(stored) bytes stored\(name)")
            if header.tailByteCount > 0 {
                add("tail", header.end + stored - header.tailByteCount, header.tailByteCount, "stored as it is")
            }
        }
        let isCompressed = header.flags.contains(.compressed)
        try unsafe EnvelopeReader.withPayload(of: bytes, limits: limits, dictionary: dictionary) {
            payload throws(NavWireError) in
            try unsafe explainPayload(payload, at: isCompressed ? 0 : header.end, limits)
        }
        add("checksum", bytes.count - EnvelopeHeader.checksumByteCount, EnvelopeHeader.checksumByteCount, "matches")
    }

    private mutating func explainPayload(
        _ payload: UnsafeRawBufferPointer, at base: Int, _ limits: NavWireLimits
    ) throws(NavWireError) {
        let scanner = unsafe PayloadScanner.pool.take()
        defer { unsafe PayloadScanner.close(scanner) }
        try unsafe scanner.pointee.scan(payload, limits: limits)
        let form = unsafe scanner.pointee.isPath ? "path" : "value"
        add("form", base, 1, form)
        let texts = unsafe scanner.pointee.textEnd
        add("texts", base + 1, texts - 1, "all strings that are written out")
        let (shapes, fixed) = unsafe (scanner.pointee.documentShapes.count, payload.count - scanner.pointee.at)
        add("structure", base + texts, payload.count - fixed - texts, "\(shapes) shapes, then the values")
        add("fixed", base + payload.count - fixed, fixed, "UUIDs and other values of fixed width, last one first")
        guard unsafe scanner.pointee.isPath else {
            return add("value", base + texts, 0, unsafe scanner.pointee.node(at: 0).summary(limits))
        }
        try unsafe explainElements(scanner.pointee.elements(limits: limits), at: base + texts, limits)
    }

    private mutating func explainElements(_ elements: [PathElement], at offset: Int, _ limits: NavWireLimits) {
        var left = limits
        left.maximumJSONByteCount = max(0, limits.maximumJSONByteCount)
        for (index, element) in elements.enumerated() {
            let text = "\(element.tag): \(element.summary(left))"
            left.maximumJSONByteCount -= text.utf8.count
            if left.maximumJSONByteCount < 0 {
                return add("rest", offset, 0, "\(elements.count - index) elements of much JSON are left out")
            }
            add("element \(index)", offset, 0, text)
        }
    }
}

extension NativeNode {
    /// The value as JSON, where JSON can hold it.
    fileprivate func summary(_ limits: NavWireLimits) -> String {
        guard let value = try? jsonValue() else { return "a value that JSON cannot hold" }
        var writer = JSONWriter(limit: limits.maximumJSONByteCount)
        writer.write(value)
        return writer.isTooLarge ? "a value of much JSON" : String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension PathElement {
    fileprivate func summary(_ limits: NavWireLimits) -> String {
        let text: String
        do {
            text = try value.item(at: 0, limits: limits)
        } catch {
            text = error.code == .tooLarge ? "a value of much JSON" : "a value that JSON cannot hold"
        }
        let form =
            switch value {
            case .json: "imported"
            case .verbatim: "verbatim"
            case .native: "native"
            }
        return oddity.map { "\(form) \(text) (\($0))" } ?? "\(form) \(text)"
    }
}
