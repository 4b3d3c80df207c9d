// SPDX-License-Identifier: Apache-2.0
import NavWire

/// A value whose `encode(to:)` is given as a closure.
struct Writes: Encodable {
    let body: (any Encoder) throws -> Void

    init(_ body: @escaping (any Encoder) throws -> Void) { self.body = body }

    func encode(to encoder: any Encoder) throws { try body(encoder) }
}

/// A value whose `init(from:)` is given as a closure, by way of `userInfo`.
struct Reads<Value>: Decodable {
    let value: Value

    static var key: CodingUserInfoKey { CodingUserInfoKey(rawValue: "reads")! }

    init(from decoder: any Decoder) throws {
        guard let box = decoder.userInfo[Self.key] as? ReadsBox<Value> else { fatalError("no closure was given") }
        value = try box.body(decoder)
    }
}

final class ReadsBox<Value>: @unchecked Sendable {
    // Used by one test on one thread.
    let body: (any Decoder) throws -> Value

    init(_ body: @escaping (any Decoder) throws -> Value) { self.body = body }
}

extension NavWireDecoder {
    func decode<Value>(
        _ type: Reads<Value>.Type, from bytes: [UInt8], by body: @escaping (any Decoder) throws -> Value
    ) throws -> Value {
        var decoder = self
        decoder.userInfo[Reads<Value>.key] = ReadsBox(body)
        return try decoder.decode(type, from: bytes).value
    }
}

struct AnyKey: CodingKey, ExpressibleByStringLiteral, Hashable {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringLiteral value: String) { stringValue = value }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

struct Pair: Codable, Hashable {
    var x: Int
    var y: Int
    var node: NativeNode {
        .object([.init(key: "x", value: NativeNode(exactly: x)), .init(key: "y", value: NativeNode(exactly: y))])
    }
}

/// Either of two scalars, by trying.
enum Mixed: Codable, Hashable {
    case number(Int)
    case text(String)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        }
    }
}

extension NativeNode {
    init(exactly value: Int) {
        self = .integer(isNegative: value < 0, magnitude: UInt128(value < 0 ? ~value : value))
    }
}

extension NativeNode: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) { self.init(exactly: value) }
}

func node(of value: some Encodable) throws -> NativeNode { try NativeValue(encoding: value).node() }

func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
    try NavWireDecoder().decode(Value.self, from: NavWireEncoder().encode(value))
}
