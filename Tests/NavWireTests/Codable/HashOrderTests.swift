// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// Wrappers that let a set encode itself, and so write it in the order of chance.
@Suite struct HashOrderTests {
    /// As property wrappers of packages do it: the set fills an unkeyed container.
    @propertyWrapper struct Forwarded<Value: Codable & Hashable>: Codable, Hashable {
        var wrappedValue: Value
        init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
        init(from decoder: any Decoder) throws { wrappedValue = try Value(from: decoder) }
        func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
    }

    /// Chooses an order, and not that of content.
    @propertyWrapper struct Longest: Codable, Hashable {
        var wrappedValue: Set<String>
        init(wrappedValue: Set<String>) { self.wrappedValue = wrappedValue }
        init(from decoder: any Decoder) throws { wrappedValue = try Set(from: decoder) }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for text in wrappedValue.sorted(by: { ($0.count, $1) > ($1.count, $0) }) { try container.encode(text) }
        }
    }

    struct Point: Codable, Hashable { var x: Int; var y: Int }

    struct Screen: Codable, Hashable {
        @Forwarded var tags: Set<String> = []
        @Forwarded var points: Set<Point> = []
        @Forwarded var sets: Set<Forwarded<Set<Int>>> = []
        @Forwarded var byPoint: [Point: String] = [:]
        @Forwarded var maybe: Set<Int>?
        @Forwarded @Forwarded var twice: Set<Int> = []
        @Longest var longest: Set<String> = []

        init(order: (inout [Int]) -> Void) {
            var indices = Array(0..<20)
            order(&indices)
            maybe = []
            for index in indices {
                tags.insert("tag \(index)")
                points.insert(Point(x: index, y: -index))
                sets.insert(Forwarded(wrappedValue: [index, index + 100, index * 7]))
                byPoint[Point(x: index, y: 0)] = "\(index)"
                maybe?.insert(index * 31)
                twice.insert(index)
                longest.insert(String(repeating: "x", count: index))
            }
        }
    }

    private static func digest(of value: Screen) throws -> String {
        let payload = try NativeValue(encoding: value).payload
        return unsafe String(payload.withUnsafeBytes { unsafe XXHash64.hash($0) }, radix: 16)
    }

    @Test func equalValuesHaveEqualBytesAlthoughTheirSetsEncodeThemselves() throws {
        let expected = try Self.digest(of: Screen { _ in })
        for round in 0..<40 { #expect(try Self.digest(of: Screen { $0.shuffle() }) == expected, "round \(round)") }
        let screen = Screen { $0.shuffle() }
        #expect(try roundTrip(screen) == screen)
    }

    @Test func equalValuesHaveEqualBytesInEveryProcess() async throws {
        let expected: String = try Self.digest(of: Screen { _ in })
        for _ in 0..<10 {
            await #expect(processExitsWith: .success) { [expected = expected as String] in
                guard try HashOrderTests.digest(of: Screen { $0.shuffle() }) == expected else { exit(1) }
            }
        }
    }

    @Test func anOrderThatWasChosenStays() throws {
        let value = Longest(wrappedValue: ["a", "bbb", "cc", "dddd"])
        for _ in 0..<20 {
            let node = try NativeValue(encoding: value).node()
            #expect(node == .array(["dddd", "bbb", "cc", "a"].map(NativeNode.string)))
        }
    }

    @Test func itIsAnArrayAsToJSONEncoder() throws {
        let node = try NativeValue(encoding: Forwarded<Set<Int>>(wrappedValue: [3, 1, 2])).node()
        #expect(node == .array([1, 2, 3].map { NativeNode($0) }))
        let none = try NativeValue(encoding: [Forwarded<Set<Int>?>(wrappedValue: nil)]).node()
        #expect(none == .array([.null]))
        #expect(try NativeValue(encoding: Forwarded<Set<Int>>(wrappedValue: [])).node() == .array([]))
    }

    /// A tree of wrappers with two members in each.
    struct Branch: Codable, Hashable {
        var members: Set<Branch>
        init(depth: Int) { members = depth > 1 ? [Branch(depth: depth - 1), Branch(depth: 1)] : [] }
        init(from decoder: any Decoder) throws { members = try Set(from: decoder) }
        func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }
    }

    @Test func wrappersInsideWrappersAreWrittenInAMomentAndCountAsDepth() throws {
        let start = ContinuousClock.now
        #expect(try roundTrip(Branch(depth: 60)) == Branch(depth: 60))
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(throws: NavWireError(code: .tooDeep, reason: "")) { try NavWireEncoder().encode(Branch(depth: 65)) }
    }

    @Test func errorsInsideKnowTheirPlace() throws {
        struct Failing: Encodable, Hashable {
            var at: Int
            func encode(to encoder: any Encoder) throws {
                throw EncodingError.invalidValue(at, .init(codingPath: encoder.codingPath, debugDescription: "no"))
            }
        }
        struct Wrapper: Encodable {
            var members: Set<Failing>
            func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }
        }
        struct Outer: Encodable { var list = [Wrapper(members: [Failing(at: 1)])] }
        do {
            _ = try NavWireEncoder().encode(Outer())
            Issue.record("nothing was thrown")
        } catch EncodingError.invalidValue(_, let context) {
            #expect(context.codingPath.map(\.stringValue) == ["list", "Index 0", "Index 0"])
        }
    }
}
