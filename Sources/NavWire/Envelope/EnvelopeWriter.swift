// SPDX-License-Identifier: Apache-2.0

/// Puts a finished payload into an envelope.
enum EnvelopeWriter {
    /// Payloads up to this size are compressed with a dictionary; larger ones carry enough of their own.
    static let dictionaryPaysBelow = 16384

    static func envelope(of writer: inout PayloadWriter, options: NavWireOptions) throws(NavWireError) -> [UInt8] {
        let layout = try writer.finish()
        if case .zstd(let level) = options.compression {
            if let smaller = compressed(writer, layout, level: level, options) { return smaller }
        }
        return plain(&writer, layout)
    }

    /// Put together in memory that is kept and then copied once: for an array that is handed out before it is filled the
    /// library asks the runtime for its type each time, which costs more than a small envelope's bytes.
    private static func plain(_ writer: inout PayloadWriter, _ layout: PayloadWriter.Layout) -> [UInt8] {
        writer.envelope.removeAll()
        writer.envelope.reserve(layout.byteCount + EnvelopeHeader.mostOverhead)
        let bytes = unsafe writer.envelope.start
        var end = unsafe putHeader(bytes, flags: [], layout.byteCount)
        unsafe writer.write(layout, to: bytes + end)
        end += layout.byteCount
        end = unsafe putChecksum(bytes, end)
        return unsafe [UInt8](UnsafeBufferPointer(start: bytes.assumingMemoryBound(to: UInt8.self), count: end))
    }

    private static func compressed(
        _ writer: borrowing PayloadWriter, _ layout: PayloadWriter.Layout, level: Int, _ options: NavWireOptions
    ) -> [UInt8]? {
        let usesDictionary = layout.byteCount < dictionaryPaysBelow
        let dictionary = usesDictionary ? options.dictionary ?? .shipped : nil
        return unsafe withUnsafeTemporaryAllocation(byteCount: layout.byteCount, alignment: 16) { payload -> [UInt8]? in
            guard let source = payload.baseAddress else { return nil }
            unsafe writer.write(layout, to: source)
            let bytes = UnsafeRawBufferPointer(payload)
            let split = layout.compressibleByteCount
            let apart = unsafe frame(bytes, upTo: split, layout, level: level, dictionary)
            guard unsafe isRegular(UnsafeRawBufferPointer(rebasing: bytes[split...])),
                let whole = unsafe frame(bytes, upTo: bytes.count, layout, level: level, dictionary)
            else { return apart }
            return whole.count < apart?.count ?? .max ? whole : apart
        }
    }

    /// Whether bytes of fixed width look as if zstd could do something with them: random ones, as most UUIDs are, would
    /// only spoil the statistics of the rest.
    private static func isRegular(_ tail: UnsafeRawBufferPointer) -> Bool {
        guard tail.count >= 64 else { return false }
        return unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 256) { counts in
            unsafe counts.initialize(repeating: 0)
            for index in tail.indices { unsafe counts[Int(tail[index])] += 1 }
            return unsafe Int(counts.max() ?? 0) * 20 > tail.count
        }
    }

    /// The envelope with a frame up to `split`, and the rest as it is. Nil when that is not smaller than the plain one.
    private static func frame(
        _ payload: UnsafeRawBufferPointer, upTo split: Int, _ layout: PayloadWriter.Layout, level: Int,
        _ dictionary: NavWireDictionary?
    ) -> [UInt8]? {
        let tail = payload.count - split
        var flags: EnvelopeHeader.Flags = .compressed
        if dictionary != nil { flags.insert(.dictionary) }
        if tail > 0 { flags.insert(.tail) }
        var isSmaller = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: payload.count + EnvelopeHeader.mostOverhead) {
            target, count in
            guard let start = target.baseAddress, let source = payload.baseAddress else { return }
            let bytes = UnsafeMutableRawPointer(start)
            var end = unsafe putHeader(bytes, flags: flags, payload.count, dictionary: dictionary?.id, tail: tail)
            // What the plain envelope would spend behind the first three bytes.
            let limit = 3 + Varint.byteCount(UInt64(truncatingIfNeeded: payload.count)) + split - end
            let frame = unsafe Zstd.compress(
                UnsafeRawBufferPointer(rebasing: payload[..<split]), boundary: layout.textEnd, level: level,
                dictionary: dictionary?.contexts,
                into: UnsafeMutableRawBufferPointer(start: bytes + end, count: max(0, limit)), limit: limit)
            guard let frame else { return }
            isSmaller = true
            end += frame
            unsafe (bytes + end).copyMemory(from: source + split, byteCount: tail)
            count = unsafe putChecksum(bytes, end + tail)
        }
        return isSmaller ? bytes : nil
    }

    private static func putHeader(
        _ bytes: UnsafeMutableRawPointer, flags: EnvelopeHeader.Flags, _ payloadByteCount: Int,
        dictionary: UInt64? = nil, tail: Int = 0
    ) -> Int {
        unsafe bytes.storeBytes(of: EnvelopeHeader.magic.0, as: UInt8.self)
        unsafe bytes.storeBytes(of: EnvelopeHeader.magic.1, toByteOffset: 1, as: UInt8.self)
        unsafe bytes.storeBytes(of: EnvelopeHeader.version << 4 | flags.rawValue, toByteOffset: 2, as: UInt8.self)
        var end = unsafe putVarint(bytes, 3, UInt64(truncatingIfNeeded: payloadByteCount))
        if let dictionary { end = unsafe putVarint(bytes, end, dictionary) }
        if tail > 0 { end = unsafe putVarint(bytes, end, UInt64(truncatingIfNeeded: tail)) }
        return end
    }

    private static func putVarint(_ bytes: UnsafeMutableRawPointer, _ offset: Int, _ value: UInt64) -> Int {
        var rest = value
        var end = offset
        while rest >= 0x80 {
            unsafe bytes.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, toByteOffset: end, as: UInt8.self)
            rest >>= 7
            end += 1
        }
        unsafe bytes.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: end, as: UInt8.self)
        return end + 1
    }

    private static func putChecksum(_ bytes: UnsafeMutableRawPointer, _ end: Int) -> Int {
        let sum = unsafe UInt32(truncatingIfNeeded: XXHash64.hash(UnsafeRawBufferPointer(start: bytes, count: end)))
        unsafe bytes.storeBytes(of: sum.littleEndian, toByteOffset: end, as: UInt32.self)
        return end + EnvelopeHeader.checksumByteCount
    }
}
