// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// How values of a type are written and read, when that is not simply by their own code.
enum ValueKind: UInt8 {
    case plain
    case bool, int, string, double, half
    case uuid, date, data, url, decimal
    case strings, ints, doubles, stringMap
    // Up to here nothing of the value's own code runs.
    /// A dictionary whose keys are not strings, integers or `CodingKeyRepresentable`.
    case pairs
    case map, set
    /// An optional of an optional.
    case nestedOptional
    /// A type that writes itself.
    case direct

    @inline(__always)
    var isLeaf: Bool { rawValue >= Self.bool.rawValue && rawValue <= Self.stringMap.rawValue }

    /// The kind of a type: the first of these that it is.
    init(_ type: Any.Type, isNested: Bool, isDirect: Bool, collection: Self?) {
        self = Self.leaf(type) ?? (isNested ? .nestedOptional : isDirect ? .direct : collection ?? .plain)
    }

    /// The kind of a type that is written and read without its own code; nil for all others.
    static func leaf(_ type: Any.Type) -> Self? { leaves[ObjectIdentifier(type)] }

    private static let leaves: [ObjectIdentifier: Self] = [
        ObjectIdentifier(Bool.self): .bool, ObjectIdentifier(Int.self): .int, ObjectIdentifier(String.self): .string,
        ObjectIdentifier(Double.self): .double, ObjectIdentifier(Float16.self): .half,
        ObjectIdentifier(UUID.self): .uuid, ObjectIdentifier(Date.self): .date,
        ObjectIdentifier(Data.self): .data, ObjectIdentifier(URL.self): .url, ObjectIdentifier(Decimal.self): .decimal,
        ObjectIdentifier([String].self): .strings, ObjectIdentifier([Int].self): .ints,
        ObjectIdentifier([Double].self): .doubles, ObjectIdentifier([String: String].self): .stringMap,
    ]
}
