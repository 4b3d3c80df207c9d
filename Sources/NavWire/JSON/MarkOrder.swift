// SPDX-License-Identifier: Apache-2.0

extension String {
    /// A text that Unicode calls equal to this one, with long rows of combining marks in order already.
    ///
    /// The standard library sorts the marks of a row by insertion whenever it hashes or compares a text: for a row of
    /// 64,000 that comes from outside it would take a quarter of a minute. A row that is in order costs its length.
    var withMarksInOrder: String {
        guard hasLongRow else { return self }
        var text = UnicodeScalarView()
        var row: [(class: UInt8, scalar: Unicode.Scalar)] = []
        func endRow() {
            row.sort { $0.class < $1.class }
            text.append(contentsOf: row.map(\.scalar))
            row.removeAll(keepingCapacity: true)
        }
        for scalar in unicodeScalars {
            let order = scalar.properties.canonicalCombiningClass
            if order == .notReordered {
                endRow()
                text.append(scalar)
            } else {
                row.append((order.rawValue, scalar))
            }
        }
        endRow()
        return String(text)
    }

    /// Shorter rows are sorted in no time.
    static let longRowCount = 64

    /// Whether a row is so long that sorting it takes time.
    var hasLongRow: Bool {
        guard utf8.count > Self.longRowCount, utf8.contains(where: { $0 >= 0x80 }) else { return false }
        var count = 0
        for scalar in unicodeScalars {
            count = scalar.isASCII || scalar.properties.canonicalCombiningClass == .notReordered ? 0 : count + 1
            if count > Self.longRowCount { return true }
        }
        return false
    }
}

extension JSONValue {
    /// Whether a text in it, other than a key, has a long row.
    var hasLongRow: Bool {
        switch self {
        case .string(let text): text.hasLongRow
        case .array(let elements): elements.contains(where: \.hasLongRow)
        case .object(let object): object.members.contains(where: \.value.hasLongRow)
        default: false
        }
    }

    /// The same value to whoever takes keys for equal that Unicode calls so.
    var withMarksOfKeysInOrder: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.withMarksOfKeysInOrder))
        case .object(let object):
            .object(
                JSONObject(
                    sorted: object.members.map {
                        .init(key: $0.key.withMarksInOrder, value: $0.value.withMarksOfKeysInOrder)
                    }))
        default: self
        }
    }
}

extension Hasher {
    /// Feeds the bytes of a text, for values whose texts are equal byte by byte.
    mutating func combine(bytesOf text: String) {
        var text = text
        text.withUTF8 { unsafe combine(bytes: UnsafeRawBufferPointer($0)) }
        combine(0xFF as UInt8)
    }
}
