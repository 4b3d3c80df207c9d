// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

extension NativeNode {
    /// The value that `JSONEncoder` would have written, with its default strategies.
    ///
    /// Throws `notRepresentable` for what JSON has no form of: NaN and the infinities.
    package func jsonValue() throws(NavWireError) -> JSONValue {
        switch self {
        case .null, .nestedNull: .null
        case .bool(let value): .bool(value)
        case .integer(let isNegative, let magnitude): .number(Self.number(isNegative, magnitude))
        case .half(let bits): .number(try Self.number(Float(bits: bits)))
        case .float(let bits): .number(try Self.number(Float(bitPattern: bits)))
        case .double(let bits), .date(let bits): .number(try Self.number(Double(bitPattern: bits)))
        case .decimal(let number?): .number(number)
        case .decimal(nil): throw .notANumber("NaN")
        case .string(let string): .string(string)
        case .uuid(let bits): .string(Self.uuidText(bits))
        case .data(let bytes): .string(Data(bytes).base64EncodedString())
        case .url(let text, nil): .string(text)
        case .url(let text, let base?): .string(URLReference(text).text(joinedTo: URLReference(base)))
        case .array(let elements), .pairs(let elements), .set(let elements): .array(try Self.values(elements))
        case .object(let members), .map(let members): .object(try Self.object(members))
        }
    }

    private static func values(_ nodes: [NativeNode]) throws(NavWireError) -> [JSONValue] {
        var values: [JSONValue] = []
        values.reserveCapacity(nodes.count)
        for node in nodes { values.append(try node.jsonValue()) }
        return values
    }

    private static func object(_ members: [Member]) throws(NavWireError) -> JSONObject {
        var converted: [JSONObject.Member] = []
        var places: [String: Int] = [:]
        for member in members {
            let value = try member.value.jsonValue()
            let key = member.key.withMarksInOrder
            if let place = places[key] {
                // A key that was encoded twice has its first spelling and its last value in JSONEncoder's output.
                converted[place] = JSONObject.Member(key: converted[place].key, value: value)
            } else {
                places[key] = converted.count
                converted.append(JSONObject.Member(key: member.key, value: value))
            }
        }
        return JSONObject(converted)
    }

    private static func number(_ isNegative: Bool, _ magnitude: UInt128) -> JSONNumber {
        guard isNegative else { return JSONNumber(magnitude) }
        // -1 - magnitude, which has no UInt128 when magnitude is the greatest: -2^128.
        let (value, overflow) = magnitude.addingReportingOverflow(1)
        let digits = overflow ? "340282366920938463463374607431768211456" : String(value)
        return JSONNumber(isNegative: true, digits: digits, exponent: 0) ?? JSONNumber(0)
    }

    /// The shortest digits that name the value at its own width, as Swift prints it.
    private static func number<Value: BinaryFloatingPoint & LosslessStringConvertible>(
        _ value: Value
    ) throws(NavWireError) -> JSONNumber {
        guard value.isFinite else { throw .notANumber("\(value)") }
        let text = Array("\(value)".utf8)
        guard case .number(let number)? = try? JSONScanner.value(of: text) else {
            throw .notANumber("\(value)")
        }
        return number
    }

    private static func uuidText(_ bits: UInt128) -> String {
        var digits = Array(String(bits, radix: 16, uppercase: true))
        digits.insert(contentsOf: repeatElement("0", count: 32 - digits.count), at: 0)
        for place in [20, 16, 12, 8] { digits.insert("-", at: place) }
        return String(digits)
    }
}

extension Float {
    /// A half-precision value, widened: every such value is a `Float`. `Float16` itself is not on every system.
    fileprivate init(bits: UInt16) {
        let magnitude = UInt32(bits & 0x7FFF)
        let sign: Float = bits & 0x8000 == 0 ? 1 : -1
        switch magnitude >> 10 {
        case 0: self = sign * Float(magnitude) * 0x1p-24
        case 0x1F: self = magnitude == 0x7C00 ? sign * .infinity : .nan
        default: self = Float(bitPattern: (UInt32(bits & 0x8000) << 16) | ((magnitude << 13) + 0x3800_0000))
        }
    }
}

extension NavWireError {
    fileprivate static func notANumber(_ text: String) -> Self {
        Self(code: .notRepresentable, reason: "JSON has no form of \(text)")
    }
}
