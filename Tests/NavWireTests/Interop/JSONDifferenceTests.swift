// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// Our reader beside Foundation's, over random texts: we may accept more, never read differently.
@Suite struct JSONDifferenceTests {
    @Test func whatBothAcceptMeansTheSame() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        var compared = 0
        for round in 0..<2_000 {
            let text = random.json(depth: 0)
            let value = try JSONScanner.value(of: Array(text.utf8))
            let written = String(decoding: JSONWriter.bytes(of: value), as: UTF8.self)
            // Foundation refuses a zero with an exponent.
            if let reference = try? ReferenceValue(text) {
                compared += 1
                #expect(try ReferenceValue(written) == reference, "seed \(seed), round \(round): \(text)")
            }
            #expect(try JSONScanner.value(of: Array(written.utf8)) == value, "seed \(seed), round \(round): \(text)")
        }
        #expect(compared > 1_500)
    }

    @Test func aBrokenTextThatWeAcceptIsAcceptedByFoundationToo() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        var accepted = 0
        for round in 0..<4_000 {
            var bytes = Array(random.json(depth: 0).utf8)
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                let pieces = Array("[]{}\",:\\u0eE+-.truefalsnull \u{1}\u{7F}".utf8) + [0xC3, 0xFF, 0xED]
                switch Int.random(in: 0..<3, using: &random) {
                case 0 where bytes.count > 1: bytes.remove(at: place)
                case 1: bytes.insert(pieces.randomElement(using: &random) ?? 0, at: place)
                default: bytes[place] = pieces.randomElement(using: &random) ?? 0
                }
            }
            guard let value = try? JSONScanner.value(of: bytes) else { continue }
            accepted += 1
            let text = String(decoding: bytes, as: UTF8.self)
            let written = String(decoding: JSONWriter.bytes(of: value), as: UTF8.self)
            // Foundation refuses a zero with an exponent, and a number that no Double holds; both are JSON.
            guard let reference = try? ReferenceValue(text) else {
                #expect(text.contains("e") || text.contains("E"), "seed \(seed), round \(round): \(text)")
                continue
            }
            #expect(try ReferenceValue(written) == reference, "seed \(seed), round \(round): \(text)")
        }
        #expect(accepted > 100)
    }
}

/// A text as `JSONDecoder` reads it. (`JSONSerialization` loses digits of numbers with an exponent.)
private enum ReferenceValue: Decodable, Equatable {
    case null, bool(Bool), number(Double), string(String), array([Self]), object([String: Self])

    init(_ text: String) throws { self = try Coders.decoder.decode(Self.self, from: Data(text.utf8)) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([Self].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: Self].self))
        }
    }
}

extension SeededGenerator {
    /// A JSON text with every freedom that a writer has.
    mutating func json(depth: Int) -> String {
        space() + bare(depth: depth) + space()
    }

    private mutating func bare(depth: Int) -> String {
        switch Int.random(in: 0..<(depth < 4 ? 8 : 6), using: &self) {
        case 0: return ["null", "true", "false"].randomElement(using: &self) ?? "null"
        case 1, 2: return number()
        case 3, 4, 5: return quoted()
        case 6:
            let count = Int.random(in: 0...3, using: &self)
            return count == 0 ? "[\(space())]" : "[" + list(count) { $0.json(depth: depth + 1) } + "]"
        default:
            let count = Int.random(in: 0...3, using: &self)
            let members = list(count) { $0.space() + $0.quoted() + $0.space() + ":" + $0.json(depth: depth + 1) }
            return count == 0 ? "{\(space())}" : "{" + members + "}"
        }
    }

    private mutating func list(_ count: Int, _ element: (inout Self) -> String) -> String {
        var elements: [String] = []
        for _ in 0..<count { elements.append(element(&self)) }
        return elements.joined(separator: ",")
    }

    private mutating func space() -> String {
        Int.random(in: 0..<4, using: &self) > 0 ? "" : [" ", "\n", "\t", "\r\n"].randomElement(using: &self) ?? ""
    }

    private mutating func number() -> String {
        var text = Bool.random(using: &self) ? "-" : ""
        text += Bool.random(using: &self) ? "0" : String(UInt32.random(in: 1 ... .max, using: &self))
        if Bool.random(using: &self) { text += "." + String(UInt16.random(in: 0 ... .max, using: &self)) }
        if Int.random(in: 0..<4, using: &self) == 0 {
            text += ["e", "E", "e+", "e-"].randomElement(using: &self) ?? "e"
            text += String(Int.random(in: 0...30, using: &self))
        }
        return text
    }

    private mutating func quoted() -> String {
        var result = "\""
        for scalar in text().unicodeScalars {
            let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
            if mustEscape || Int.random(in: 0..<4, using: &self) == 0 {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16, uppercase: Bool.random(using: &self))
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
