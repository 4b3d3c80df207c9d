// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// Values of many types, by way of SwiftUI's JSON and by way of the native form: both hold what Foundation's coders hold.
@Suite struct JSONEquivalenceTests {
    static let seed = UInt64.random(in: .min ... .max)

    /// The value of an item of SwiftUI's JSON, after it was imported, stored and read again.
    private func imported(_ item: String) throws -> PathValue {
        let text = try JSONEncoder().encode(["Shop.Value", item])
        return try PathEnvelope.decode(PathEnvelope.encode(SwiftUIJSON.decode(Array(text))))[0].value
    }

    private func check<Value: Codable & Equatable>(_ value: Value, _ place: Comment) throws {
        let item = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        let json = try imported(item)
        let native = try ElementCoder.encode(value)
        #expect(try ElementCoder.decode(Value.self, from: json) == JSONDecoder().decode(Value.self, from: item), place)
        #expect(try ElementCoder.decode(Value.self, from: native) == value, place)
        guard let exported = try native.jsonValue() else {
            Issue.record(place)
            return
        }
        let written = String(decoding: JSONWriter.bytes(of: exported), as: UTF8.self)
        #expect(
            try JSONDecoder().decode(Value.self, from: written) == JSONDecoder().decode(Value.self, from: item), place)
        #expect(json.isEquivalent(to: native) && native.isEquivalent(to: json), place)
    }

    @Test func aValueIsEquivalentToItsTextInAnyOrderOfItsSets() throws {
        let (set, other) = (Set(1...40), Set(1...39).union([41]))
        let shuffled = try imported("[\(set.shuffled().map(String.init).joined(separator: ","))]")
        #expect(try shuffled.isEquivalent(to: ElementCoder.encode(set)))
        #expect(try ElementCoder.encode(set).isEquivalent(to: shuffled))
        #expect(try !shuffled.isEquivalent(to: ElementCoder.encode(other)))
        #expect(try !shuffled.isEquivalent(to: ElementCoder.encode(Set(1...39))))
        // Of a list the order counts, beside a set and inside one, and key and value belong together.
        let native = try ElementCoder.encode([[Set(["a", "b"])], [Set(["c"])]])
        #expect(try imported(#"[[["b","a"]],[["c"]]]"#).isEquivalent(to: native))
        #expect(try !imported(#"[[["c"]],[["b","a"]]]"#).isEquivalent(to: native))
        let lists = try ElementCoder.encode(Set([[1, 2], [3, 4]]))
        #expect(try imported("[[3,4],[1,2]]").isEquivalent(to: lists))
        #expect(try !imported("[[4,3],[1,2]]").isEquivalent(to: lists))
        let pairs = try ElementCoder.encode([1.5: Set([5, 6]), 2.5: [7]])
        #expect(try imported("[2.5,[7],1.5,[6,5]]").isEquivalent(to: pairs))
        #expect(try pairs.isEquivalent(to: imported("[1.5,[5,6],2.5,[7]]")))
        #expect(try !imported("[1.5,[7],2.5,[6,5]]").isEquivalent(to: pairs))
        #expect(try !imported("[2.5,[7],1.5,[6,5],1.5]").isEquivalent(to: pairs))
        let twice = try ElementCoder.encode(Set([Set([1, 2]), [3]]))
        #expect(try imported("[[3],[2,1]]").isEquivalent(to: twice))
        #expect(try !imported("[[3],[2,1],[3]]").isEquivalent(to: twice))
    }

    /// A route as apps have them, with what has no order at several depths.
    struct Filter: Codable, Hashable {
        var tags: Set<String>
        var byID: [UUID: Set<Int>]
        var groups: [[Set<Bool?>]]
        var sets: Set<[Set<String>]>
        var table: [String: [Int: Double]]
    }

    @Test func pathsWithSetsAreEquivalentToTheirSavedForm() throws {
        var random = RandomValues(seed: Self.seed)
        for round in 0..<200 {
            let filter = Filter(
                tags: Set(random.list { $0.string() }),
                byID: Dictionary(random.list { ($0.uuid(), Set($0.list { $0.int() })) }) { $1 },
                groups: random.list { $0.list { Set($0.list { $0.optional { $0.int() > 0 } }) } },
                sets: Set(random.list { $0.list { Set($0.list { $0.string() }) } }),
                table: random.dictionary { Dictionary($0.list { ($0.int(), $0.double()) }) { $1 } })
            var path = NavigationPath()
            path.append(filter)
            path.append(filter.tags)
            path.append(filter.byID)
            let saved = try Coders.encoder.encode(path.codable)
            let back = NavigationPath(try Coders.decoder.decode(NavigationPath.CodableRepresentation.self, from: saved))
            #expect(path.isEquivalent(to: back) && back.isEquivalent(to: path), "seed \(Self.seed), round \(round)")
            try check(filter, "seed \(Self.seed), round \(round)")
        }
    }

    @Test func largeSetsAreComparedQuickly() throws {
        let numbers = Set((0..<50_000).map { ["\($0)", "x"] })
        let item = String(decoding: try JSONEncoder().encode(numbers), as: UTF8.self)
        let (json, native) = (try PathValue(item: item), try ElementCoder.encode(numbers))
        let start = ContinuousClock.now
        #expect(json.isEquivalent(to: native))
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test func valuesOfManyTypesAreWhatFoundationsCodersMakeOfThem() throws {
        var random = RandomValues(seed: Self.seed)
        for round in 0..<400 {
            let place: Comment = "seed \(Self.seed), round \(round)"
            try check(random.everything(), place)
            try check(random.list { $0.everything() }, place)
            try check(random.list { $0.route() }, place)
            try check(["k": random.route()], place)
            try check(random.dictionary { $0.optional { $0.route() } }, place)
            try check(Dictionary(random.list { ($0.int(), $0.string()) }) { $1 }, place)
            try check(Set(random.list { $0.string() }), place)
            try check(Dictionary(random.list { ($0.uuid(), $0.route()) }) { $1 }, place)
            try check(random.optional { $0.string() }, place)
            try check(random.double(), place)
            try check(random.decimal(), place)
        }
    }

    @Test func differentValuesAreNotEquivalent() throws {
        var random = RandomValues(seed: Self.seed)
        for round in 0..<300 {
            let (left, right) = (random.everything(), random.everything())
            let item = String(decoding: try JSONEncoder().encode(left), as: UTF8.self)
            let isEquivalent = try imported(item).isEquivalent(to: ElementCoder.encode(right))
            #expect(isEquivalent == (left == right), "seed \(Self.seed), round \(round)")
        }
        let verbatim = [PathValue.verbatim("{"), .verbatim("["), .json(.null)]
        for (place, value) in verbatim.enumerated() {
            #expect(verbatim.indices.allSatisfy { value.isEquivalent(to: verbatim[$0]) == ($0 == place) })
        }
        let notInJSON = try ElementCoder.encode(Double.nan)
        #expect(notInJSON.isEquivalent(to: notInJSON))
        #expect(try !notInJSON.isEquivalent(to: ElementCoder.encode(nil as Int?)))
    }

    @Test func whateverFoundationReadsFromATextIsReadFromItsImport() throws {
        var random = SeededGenerator(seed: Self.seed)
        var compared = 0
        for round in 0..<3_000 {
            let text = random.json(depth: 0)
            guard let value = try? imported(text), case .json = value else { continue }
            func compare<Value: Decodable & Equatable>(_ type: Value.Type) {
                guard let reference = try? JSONDecoder().decode(type, from: text) else { return }
                compared += 1
                let ours = try? ElementCoder.decode(type, from: value)
                #expect(ours == reference, "\(type), seed \(Self.seed), round \(round): \(text)")
            }
            compare(Int.self)
            compare(Int8.self)
            compare(UInt64.self)
            compare(Int128.self)
            compare(Double.self)
            compare(Float.self)
            compare(Decimal.self)
            compare(String.self)
            compare(Bool.self)
            compare(Date.self)
            compare(URL.self)
            compare(Data.self)
            compare(Int?.self)
            compare([Double?].self)
            compare([Decimal].self)
            compare([String].self)
            compare([String: Double].self)
            compare([String: [String?]].self)
        }
        #expect(compared > 2_000)
    }
}

extension JSONDecoder {
    fileprivate func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
        try decode(type, from: Data(text.utf8))
    }
}
