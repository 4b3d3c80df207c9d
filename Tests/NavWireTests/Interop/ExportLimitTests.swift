// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// What is written as JSON is read again with the same limits; what would not be read is not written.
@Suite struct ExportLimitTests {
    private static let writers: [(String, @Sendable ([PathElement], NavWireLimits) throws -> [UInt8])] = [
        ("SwiftUI", { try SwiftUIJSON.encode($0, limits: $1) }),
        ("swift-cross-ui", { try PathJSON.encodeSwiftCrossUI($0, limits: $1) }),
        (
            "Codable",
            { elements, _ in Array(try Coders.encoder.encode(NavigationPath.CodableRepresentation(elements))) }
        ),
    ]

    private static func nested(_ depth: Int) -> JSONValue { (0..<depth).reduce(.null) { value, _ in .array([value]) } }

    private static func element(_ value: PathValue, tag: String = "Shop.Item") -> PathElement {
        PathElement(tag: tag, value: value)
    }

    /// Each beside what is just within the limit.
    private static let paths: [(String, NavWireError.Code, good: [PathElement], bad: [PathElement])] = {
        func one(_ value: PathValue) -> [PathElement] { [element(.json(.null)), element(value)] }
        func tag(_ text: String) -> [PathElement] { [element(.json(.null)), element(.json(.null), tag: text)] }
        func text(_ count: Int) -> PathValue { .json(.string(String(repeating: "x", count: count))) }
        func values(_ count: Int) -> PathValue { .json(.array(Array(repeating: .null, count: count - 1))) }
        let item = NavWireLimits.default.maximumElementByteCount
        let count = NavWireLimits.default.maximumElementCount
        let long = String(repeating: "t", count: 512)
        let brackets = String(repeating: "[", count: 64)
        return [
            ("depth", .tooDeep, one(.json(nested(64))), one(.json(nested(65)))),
            ("depth of a text", .tooDeep, one(.verbatim(brackets)), one(.verbatim(brackets + "["))),
            ("bytes of an item", .tooLarge, one(text(item - 2)), one(text(item - 1))),
            (
                "bytes of a text", .tooLarge, one(.verbatim(String(repeating: "[", count: 2))),
                one(.verbatim(String(repeating: " ", count: item + 1)))
            ),
            ("values", .tooLarge, one(values(200_000)), one(values(1 << 18 + 1))),
            ("tag", .tooLarge, tag(long), tag(long + "t")),
            ("control character", .invalidTag, tag("Shop.\u{80}"), tag("Shop.\u{1}")),
            ("delete", .invalidTag, tag("Shop.é"), tag("Shop.\u{7F}")),
            (
                "elements", .tooLarge, Array(repeating: element(.json(.null)), count: count),
                Array(repeating: element(.json(.null)), count: count + 1)
            ),
        ]
    }()

    private func read(_ json: [UInt8], _ writer: String, _ limits: NavWireLimits = .default) throws -> [PathElement] {
        if writer != "Codable" { return try PathJSON.decode(json, limits: limits).elements }
        let saved = try Coders.decoder.decode(NavigationPath.CodableRepresentation.self, from: Data(json))
        return try saved.elements()
    }

    private func code(_ body: () throws -> [UInt8]) -> NavWireError.Code? {
        do {
            _ = try body()
            return nil
        } catch let EncodingError.invalidValue(_, context) {
            return (context.underlyingError as? NavWireError)?.code
        } catch { return (error as? NavWireError)?.code }
    }

    @Test func whatIsWrittenIsRead() throws {
        for (name, encode) in Self.writers {
            for (limit, code, good, bad) in Self.paths {
                let json = try encode(good, .default)
                #expect(try read(json, name) == good, "\(name), \(limit)")
                #expect(self.code { try encode(bad, .default) } == code, "\(name), \(limit)")
            }
        }
    }

    @Test func otherLimitsHoldBothWaysToo() throws {
        let path = [
            Self.element(.json(Self.nested(3))), Self.element(try ElementCoder.encode([[1: ["a"]], [2: []]])),
            Self.element(.verbatim("[[")), Self.element(.json(.null), tag: "FoundationEssentials.UUID"),
        ]
        let limits: [WritableKeyPath<NavWireLimits, Int>] = [
            \.maximumDepth, \.maximumElementByteCount, \.maximumElementCount, \.maximumTagByteCount,
            \.maximumValueCount, \.maximumJSONByteCount,
        ]
        for (name, encode) in Self.writers.prefix(2) {
            let json = try encode(path, .default)
            for limit in limits {
                for value in [-1, 0, 1, 2, 3, 4, 5, 8, 9, 10, 12, 13, 14, 15, 16, 17, 20, 24, 25, 26, 27] {
                    var few = NavWireLimits.default
                    few[keyPath: limit] = value
                    let isWritten = (try? encode(path, few)) != nil
                    #expect(isWritten == ((try? read(json, name, few)) != nil), "\(name), \(limit) \(value)")
                }
            }
        }
    }

    @Test func theJSONOfASavedPathIsCountedAsItIsWritten() throws {
        // Slashes and quotes take two bytes, in the outer text the escapes of the inner one too.
        let text = String(repeating: "/\"\u{1}", count: 60_000)
        var path = NavigationPath()
        for _ in 0..<3 { path.append(text) }
        let json = try Coders.encoder.encode(path.codable)
        #expect(json.count > 2 << 20)
        #expect(try SwiftUIJSON.decode(Array(json)).count == 3)
        for _ in 0..<4 {
            path.append(text)
            guard let json = try? Coders.encoder.encode(path.codable) else { continue }
            #expect(json.count <= NavWireLimits.default.maximumJSONByteCount)
        }
        #expect(code { Array(try Coders.encoder.encode(path.codable)) } == .tooLarge)
    }
}
