// SPDX-License-Identifier: Apache-2.0

/// The records on one leaf page of a table (with row ids) or of an index (without).
///
/// Source: "B-tree Pages" in "Database File Format", sqlite.org.
struct LeafPage {
    private static let tableLeaf: UInt8 = 0x0D
    private static let indexLeaf: UInt8 = 0x0A
    /// More bytes than any record of ours has: a length beyond it is damage, and must not reserve memory.
    private static let maximumPayloadByteCount = 16 << 20

    let file: PageFile
    let page: [UInt8]
    let start: Int

    /// Nil when the page is no leaf.
    init?(_ file: PageFile, page: [UInt8], number: Int) {
        // The first page begins with the file's header.
        start = number == 1 ? 100 : 0
        guard page.count > start + 8, page[start] == Self.tableLeaf || page[start] == Self.indexLeaf else {
            return nil
        }
        self.file = file
        self.page = page
    }

    private var isTable: Bool { page[start] == Self.tableLeaf }

    /// Every record whose parts can be found. Overflow pages are taken from the log or from the database: of a record
    /// that spans pages both readings are given, and its checksum tells the right one.
    func records() -> [RawRecord] {
        let count = PageFile.big16(page, start + 3)
        var records: [RawRecord] = []
        for cell in 0..<count {
            let pointer = start + 8 + 2 * cell
            guard pointer + 2 <= page.count else { break }
            let offset = PageFile.big16(page, pointer)
            for preferringLog in [true, false] {
                guard let (payload, key, spans) = read(offset, preferringLog: preferringLog) else { break }
                if let record = RawRecord(payload: payload, key: key) { records.append(record) }
                if !spans { break }
            }
        }
        return records
    }

    private func read(_ offset: Int, preferringLog: Bool) -> (payload: [UInt8], key: Int64, spans: Bool)? {
        var offset = offset
        guard let length = Varint.read(page, &offset), length <= UInt64(Self.maximumPayloadByteCount) else {
            return nil
        }
        var key: UInt64 = 0
        if isTable {
            guard let found = Varint.read(page, &offset) else { return nil }
            key = found
        }
        let total = Int(length)
        let local = localByteCount(total)
        guard offset + local <= page.count else { return nil }
        var payload = Array(page[offset..<offset + local])
        guard local < total else { return (payload, Int64(bitPattern: key), false) }
        guard offset + local + 4 <= page.count else { return nil }
        var next = PageFile.big32(page, offset + local)
        while payload.count < total {
            guard let overflow = file.page(next, preferringLog: preferringLog) else { return nil }
            next = PageFile.big32(overflow, 0)
            payload += overflow[4..<min(overflow.count, 4 + total - payload.count)]
        }
        return (payload, Int64(bitPattern: key), true)
    }

    /// How much of a payload stands on the page itself.
    private func localByteCount(_ total: Int) -> Int {
        let usable = file.pageByteCount
        let maximum = isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
        guard total > maximum else { return total }
        let minimum = (usable - 12) * 32 / 255 - 23
        let wanted = minimum + (total - minimum) % (usable - 4)
        return wanted <= maximum ? wanted : minimum
    }
}
