// SPDX-License-Identifier: Apache-2.0

/// One record of SQLite as it stands in a page: its columns, read without SQLite and without trust.
///
/// Source: "Record Format" in "Database File Format", sqlite.org.
struct RawRecord {
    private enum Column {
        case null
        case integer(Int64)
        case bytes(Range<Int>)
    }

    private let payload: [UInt8]
    private let columns: [Column]
    /// The row id, which stands in the place of the first column of a table that names it.
    let key: Int64

    /// Nil when the header does not describe the payload.
    init?(payload: [UInt8], key: Int64) {
        var offset = 0
        guard let headerLength = Varint.read(payload, &offset), headerLength <= UInt64(payload.count) else {
            return nil
        }
        var body = Int(headerLength)
        var columns: [Column] = []
        while offset < Int(headerLength) {
            guard let type = Varint.read(payload, &offset), columns.count < 32,
                let column = Self.column(type, payload, &body)
            else { return nil }
            columns.append(column)
        }
        self.payload = payload
        self.columns = columns
        self.key = key
    }

    var columnCount: Int { columns.count }

    private static func column(_ type: UInt64, _ payload: [UInt8], _ body: inout Int) -> Column? {
        switch type {
        case 0: return .null
        case 8: return .integer(0)
        case 9: return .integer(1)
        case 1...6:
            let count = [1, 2, 3, 4, 6, 8][Int(type) - 1]
            guard let range = take(UInt64(count), payload, &body) else { return nil }
            var value: Int64 = Int8(bitPattern: payload[range.lowerBound]) < 0 ? -1 : 0
            for byte in payload[range] { value = value << 8 | Int64(byte) }
            return .integer(value)
        case 12...:
            guard let range = take((type - 12) / 2, payload, &body) else { return nil }
            return .bytes(range)
        default: return nil
        }
    }

    private static func take(_ count: UInt64, _ payload: [UInt8], _ body: inout Int) -> Range<Int>? {
        guard count <= UInt64(payload.count - body) else { return nil }
        defer { body += Int(count) }
        return body..<body + Int(count)
    }
}

extension RawRecord: RowColumns {
    func isNull(_ column: Int32) -> Bool {
        guard Int(column) < columns.count, case .null = columns[Int(column)] else { return false }
        return true
    }

    func integer(_ column: Int32) -> Int64 {
        if column == 0, isNull(0) { return key }
        guard Int(column) < columns.count, case .integer(let value) = columns[Int(column)] else { return 0 }
        return value
    }

    func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        guard Int(column) < columns.count, case .bytes(let range) = columns[Int(column)] else {
            return body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
        return payload[range].withUnsafeBytes(body)
    }
}

/// SQLite's variable-length integers: up to eight bytes of seven bits, most significant first, then one of eight.
enum Varint {
    static func read(_ bytes: [UInt8], _ offset: inout Int) -> UInt64? {
        var value: UInt64 = 0
        for position in 0..<9 {
            guard offset < bytes.count else { return nil }
            let byte = bytes[offset]
            offset += 1
            if position == 8 { return value << 8 | UInt64(byte) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte & 0x80 == 0 { return value }
        }
        return value
    }
}
