// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// Types that take a set or dictionary apart by themselves. What they fill is theirs: an array is in the order in which they
/// fill it, as `JSONEncoder` has it, whether they chose that or not.
@Suite struct CallOrderTests {
    // MARK: Whoever gives a collection away

    /// As property wrappers do it.
    @propertyWrapper struct Given<Value: Codable & Hashable>: Codable, Hashable {
        var wrappedValue: Value
        init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
        init(from decoder: any Decoder) throws { wrappedValue = try decoder.singleValueContainer().decode(Value.self) }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(wrappedValue)
        }
    }

    struct Eraser: Encodable {
        let value: any Encodable
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    struct Point: Codable, Hashable { var x: Int; var y: Int }

    enum Choice: Codable, Hashable { case tags(Set<String>), points([Point: Int], note: Set<Int>) }

    struct Screen: Codable, Hashable {
        @Given var tags: Set<String> = []
        @Given var points: Set<Point> = []
        @Given var sets: Set<Given<Set<Int>>> = []
        @Given var byPoint: [Point: String] = [:]
        @Given var maybe: Set<Int>?
        @Given @Given var twice: Set<Int> = []
        var choices: [Choice] = []
        var texts: [String: Set<Choice>] = [:]

        init(order: (inout [Int]) -> Void) {
            var indices = Array(0..<20)
            order(&indices)
            maybe = []
            var names = Set<String>(minimumCapacity: indices[0] * 9)
            var counts: [Point: Int] = [:]
            for index in indices {
                tags.insert("tag \(index)")
                points.insert(Point(x: index, y: -index))
                sets.insert(Given(wrappedValue: [index, index + 100, index * 7]))
                byPoint[Point(x: index, y: 0)] = "\(index)"
                maybe?.insert(index * 31)
                twice.insert(index)
                names.insert("name \(index)")
                counts[Point(x: 0, y: index)] = index
            }
            choices = [.tags(names), .points(counts, note: twice)]
            texts = ["a": Set(choices), "b": []]
        }
    }

    private static func digest(of value: some Encodable) throws -> String {
        let payload = try NativeValue(encoding: value).payload
        return unsafe String(payload.withUnsafeBytes { unsafe XXHash64.hash($0) }, radix: 16)
    }

    @Test func equalValuesHaveEqualBytesWhereverTheirSetsAreGivenAway() throws {
        let expected = try Self.digest(of: Eraser(value: Screen { _ in }))
        for round in 0..<40 {
            #expect(try Self.digest(of: Eraser(value: Screen { $0.shuffle() })) == expected, "round \(round)")
        }
        let screen = Screen { $0.shuffle() }
        #expect(try roundTrip(screen) == screen)
    }

    @Test func equalValuesHaveEqualBytesInEveryProcess() async throws {
        let expected: String = try Self.digest(of: Screen { _ in })
        for _ in 0..<10 {
            await #expect(processExitsWith: .success) { [expected = expected as String] in
                guard try CallOrderTests.digest(of: Screen { $0.shuffle() }) == expected else { exit(1) }
            }
        }
    }

    @Test func aDictionaryThatWritesItselfAsAnObjectIsInOrder() throws {
        var payloads: Set<[UInt8]> = []
        for _ in 0..<40 {
            let map = Dictionary(uniqueKeysWithValues: (0..<12).shuffled().map { ("key \($0)", $0) })
            payloads.insert(try NativeValue(encoding: Writes { try map.encode(to: $0) }).payload)
        }
        #expect(payloads.count == 1)
    }

    // MARK: Whoever goes through one

    @Test(arguments: CallOrderForm.all) func itIsWrittenInTheOrderOfItsCalls(_ form: CallOrderForm) throws {
        for count in [0, 1, 2, 3, 12] {
            let value = form.make(count)
            let alone = Writes { try value.encode(to: $0) }
            // What a set says of its order holds for this one instance, so both see the same.
            let reference = try JSONScanner.value(of: Array(JSONEncoder().encode(alone)))
            for _ in 0..<2 {
                #expect(try NativeValue(encoding: alone).node().jsonValue() == reference, "\(form) of \(count)")
                let around = try NativeValue(encoding: [Eraser(value: value), Eraser(value: 1)]).node().jsonValue()
                #expect(around == .array([reference, .number(JSONNumber(1))]), "\(form) of \(count)")
            }
        }
    }

    /// Keys, then values: sorting what looks like pairs would give other members.
    struct Columns: Codable, Equatable {
        var members: [Int: Int]
        init(_ members: [Int: Int]) { self.members = members }
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            let keys = try (0..<(container.count ?? 0) / 2).map { _ in try container.decode(Int.self) }
            members = [:]
            for key in keys { members[key] = try container.decode(Int.self) }
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for key in members.keys { try container.encode(key) }
            for value in members.values { try container.encode(value) }
        }
    }

    @Test func membersWrittenInColumnsComeBack() throws {
        for _ in 0..<200 {
            for members in [[1: 2, 2: 0, 3: 2], [2: 1, 1: 5], [1: 1, 2: 2, 3: 3, 4: 4]] {
                let columns = Columns(Dictionary(uniqueKeysWithValues: members.shuffled()))
                #expect(try roundTrip(columns) == columns)
            }
        }
    }
}
