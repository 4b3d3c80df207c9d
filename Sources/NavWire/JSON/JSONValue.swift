// SPDX-License-Identifier: Apache-2.0

/// A value imported from JSON, in the one form that all equal JSON texts share.
///
/// Two values are equal when JSON calls them equal: numbers by value, objects whatever the order of their keys, strings
/// byte by byte without any Unicode normalisation.
public enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue: Hashable {
    public static func == (lhs: Self, rhs: Self) -> Bool {
        switch (lhs, rhs) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let value): hasher.combine(bytesOf: value)
        case .array(let elements): hasher.combine(elements)
        case .object(let object): hasher.combine(object)
        }
    }
}

/// The members of a JSON object, sorted by the UTF-8 bytes of their keys, each key once.
public struct JSONObject: Hashable, Sendable {
    public struct Member: Hashable, Sendable {
        public let key: String
        public let value: JSONValue

        public init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }

        public static func == (lhs: Self, rhs: Self) -> Bool {
            lhs.key.utf8.elementsEqual(rhs.key.utf8) && lhs.value == rhs.value
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(bytesOf: key)
            hasher.combine(value)
        }
    }

    /// Sorted by key, no key twice.
    public let members: [Member]

    /// Sorts `members`. Of several with one key the first is kept, as `JSONDecoder` does; keys that differ only in
    /// their Unicode normalisation are one key to it, so they are to us.
    public init(_ members: some Sequence<Member>) {
        var seen = Set<String>()
        self.members = members.filter { seen.insert($0.key.withMarksInOrder).inserted }
            .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    /// Members that are sorted by key, no key twice. Those that differ only in normalisation are all kept: what was
    /// accepted as bytes is written back as the same.
    init(sorted members: [Member]) {
        self.members = members
    }

    /// The value of a key, found as `JSONDecoder` finds it: spellings that Unicode calls equal are one key.
    public subscript(key: String) -> JSONValue? {
        let key = key.withMarksInOrder
        return members.first { $0.key.withMarksInOrder == key }?.value
    }
}
