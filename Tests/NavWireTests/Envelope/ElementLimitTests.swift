// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// Values of a path are larger by themselves than in it when they share strings and shapes with other elements. What a
/// path can hold must come back all the same, and what comes back must go in again.
@Suite struct ElementLimitTests {
    /// After a first element that uses "shared" twice, each use of it takes one byte. Alone it comes after 48 others, and
    /// takes two.
    struct Large: Codable, Hashable {
        var names: [String]
        var data: Data

        init(_ byteCount: Int) {
            names = (0..<48).flatMap { ["name\($0)", "name\($0)"] } + [String](repeating: "shared", count: 200_000)
            data = Data(repeating: 7, count: byteCount)
        }
    }

    private static let limit = NavWireLimits.default.maximumPayloadByteCount

    private func path(_ large: Large) throws -> [PathElement] {
        [
            PathElement(tag: "Shop.First", value: try ElementCoder.encode(["shared", "shared"])),
            PathElement(tag: "Shop.Large", value: try ElementCoder.encode(large)),
        ]
    }

    private static var larger: NavWireOptions {
        var limits = NavWireLimits.default
        limits.maximumPayloadByteCount *= 2
        return NavWireOptions(compression: .none, limits: limits)
    }

    /// Data that make the payload of a path exactly as large as the limit.
    private func byteCountAtTheLimit() throws -> Int {
        let guess = 800_000
        let payload = try PathEnvelope.verifiedPayload(
            of: PathEnvelope.encode(path(Large(guess)), options: Self.larger), limits: Self.larger.limits)
        return guess + Self.limit - payload.count
    }

    @Test func aPathAtTheLimitComesBack() throws {
        let large = Large(try byteCountAtTheLimit())
        let path = try path(large)
        let envelope = try PathEnvelope.encode(path)
        #expect(try PathEnvelope.verifiedPayload(of: envelope).count == Self.limit)
        let back = try PathEnvelope.decode(envelope)
        #expect(back == path)
        guard case .native(let alone) = back[1].value else {
            Issue.record("the element was encoded from a Swift value")
            return
        }
        #expect(alone.payload.count > Self.limit)
        #expect(try ElementCoder.decode(Large.self, from: back[1].value) == large)
        #expect(try alone.node() == NativeValue(payload: alone.payload).node())
        #expect(try PathEnvelope.encode(back) == envelope)
    }

    @Test func oneByteMoreIsRefusedInBothDirections() throws {
        let path = try path(Large(byteCountAtTheLimit() + 1))
        #expect(throws: NavWireError(code: .tooLarge, reason: "")) { try PathEnvelope.encode(path) }
        let envelope = try PathEnvelope.encode(path, options: Self.larger)
        #expect(throws: NavWireError(code: .tooLarge, reason: "")) { try PathEnvelope.verifiedPayload(of: envelope) }
        #expect(throws: NavWireError(code: .tooLarge, reason: "")) { try PathEnvelope.decode(envelope) }
        #expect(try PathEnvelope.decode(envelope, limits: Self.larger.limits) == path)
    }

    @Test func anElementThatFitsInNoPathIsRefusedByItself() throws {
        let large = Data(repeating: 7, count: Self.limit + 100)
        #expect(throws: NavWireError(code: .tooLarge, reason: "")) { try ElementCoder.encode(large) }
        #expect(throws: NavWireError(code: .tooLarge, reason: "")) { try NavWireEncoder().encode(large) }
    }

    /// Members of sets are encoded by themselves before they are sorted.
    @Test func aMemberOfASetIsNoLargerThanItIsInTheSet() throws {
        let large = Large(try byteCountAtTheLimit() - 1_000)
        struct Both: Codable, Hashable {
            var first = ["shared", "shared"]
            var members: Set<Large>
        }
        let value = Both(members: [large])
        #expect(try roundTrip(value) == value)
    }

    private static var raised: NavWireLimits {
        var limits = NavWireLimits.default
        limits.maximumPayloadByteCount = 64 << 20
        limits.maximumJSONByteCount = 64 << 20
        limits.maximumElementByteCount = 64 << 20
        limits.maximumExpandedByteCount = 64 << 20
        limits.maximumDepth = 200
        return limits
    }

    private struct Nested: Codable, Hashable {
        var depth: Int
        var inside: [Nested] = []
    }

    /// What a path holds was held to the limits of the app when it came in.
    @Test func whatWasAcceptedWithRaisedLimitsCanBeUsed() throws {
        let data = Data(repeating: 7, count: 6 << 20)
        let deep = (1..<60).reduce(Nested(depth: 0)) { Nested(depth: $1, inside: [$0]) }
        let text = String(repeating: "x", count: 5 << 20)
        var registry = RouteRegistry()
        try registry.register(Nested.self, as: "Shop.Nested") { element in
            if case .json = element.value { return nil }
            Issue.record("a migration meets JSON")
            return nil
        }
        let elements = [
            PathElement(tag: "Foundation.Data", value: try ElementCoder.encode(data, limits: Self.raised)),
            PathElement(tag: "Shop.Nested", value: try ElementCoder.encode(deep, limits: Self.raised)),
            try PathElement(checkingTag: "Swift.String", item: "\"\(text)\"", limits: Self.raised),
        ]
        let envelope = try PathEnvelope.encode(elements, options: .init(compression: .none, limits: Self.raised))
        let path = try PathEnvelope.decode(envelope, limits: Self.raised)
        #expect(path == elements)
        var resolved = NavigationPath(path)
        let issues = resolved.resolve(using: registry)
        #expect(issues.isEmpty)
        var expected = NavigationPath([data])
        expected.append(deep)
        expected.append(text)
        #expect(resolved == expected)
        #expect(resolved.isEquivalent(to: resolved, using: registry))
        #expect(resolved.isEquivalent(to: NavigationPath(path), using: registry))
        #expect(resolved.inspection(using: registry).allSatisfy { $0.element != nil })
        // Not the deep one: of what is imported, the format has its own limit.
        let json = try SwiftUIJSON.encode([path[0], path[2]], limits: Self.raised)
        let imported = try SwiftUIJSON.decode(json, limits: Self.raised)
        #expect(imported[0].value.isEquivalent(to: path[0].value) && imported[1] == path[2])
        let item = try path[0].value.itemText(limits: Self.raised)
        #expect(item == "\"\(data.base64EncodedString())\"")
        // The limits of who asks still hold for what is made.
        #expect(throws: NavWireError(code: .tooLarge, reason: "")) { try path[0].value.itemText() }
        #expect(throws: NavWireError(code: .tooLarge, reason: "")) { try SwiftUIJSON.encode(path) }
        #expect(throws: NavWireError(code: .tooLarge, reason: "")) { try PathEnvelope.encode(path) }
    }

    /// A repeated string is a byte, and each of its characters can be six of JSON.
    @Test func resolvingWritesNoJSONOfMoreThanItsBytesAccountFor() throws {
        let text = JSONValue.string(String(repeating: "\u{1}", count: 64))
        let value = PathValue.json(.array(Array(repeating: text, count: 200_000)))
        let element = PathElement(tag: "Swift.Array<Swift.String>", value: value)
        var path = NavigationPath(try PathEnvelope.decode(PathEnvelope.encode([element])))
        let issues = path.resolve(using: .standard)
        #expect(issues.map(\.code) == [.notDecodable] && path.unresolvedCount == 1)
        #expect(issues.allSatisfy { $0.reason.contains("bytes or more as JSON") })
    }

    /// Keys that rows share and numbers that are short take far fewer bytes than their JSON.
    @Test func tablesThatWereAcceptedWithRaisedLimitsAreResolved() throws {
        let keys = (0..<7).map { "a column with a long name \($0)" }
        let row = "{" + keys.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
        func element(_ tag: String, _ item: String, count: Int) throws -> PathElement {
            let text = "[" + Array(repeating: item, count: count).joined(separator: ",") + "]"
            return try PathElement(checkingTag: tag, item: text, limits: Self.raised)
        }
        var registry = RouteRegistry()
        try registry.register([[String: Int]].self, as: "Shop.Table")
        let elements = [
            try element("Shop.Table", row, count: 32_000),
            try element("Swift.Array<Swift.Double>", "1e39", count: 200_000),
            try element("Swift.Array<Swift.Double>", "-1.5e38", count: 200_000),
        ]
        var path = NavigationPath(elements)
        #expect(path.resolve(using: registry).isEmpty)
        #expect(path.unresolvedCount == 0)
    }

    @Test func growthIsBoundedForAllLimits() {
        var limits = NavWireLimits.default
        #expect(limits.forValueAlone.maximumPayloadByteCount == (1 << 20) + 10 * (1 << 18) + 64)
        limits.maximumValueCount = .max
        #expect(limits.forValueAlone.maximumPayloadByteCount == .max)
        #expect(NavWireLimits.boundless.forValueAlone.maximumPayloadByteCount == .max)
        #expect(NavWireLimits.growthAlone(Int.max / 10) == .max)
    }
}
