// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import NavWire
import Testing

@Suite struct HostileTests {
    indirect enum Nest: Codable, Hashable { case leaf, deeper([Nest]) }

    private func nested(_ depth: Int) -> NativeNode { (0..<depth).reduce(.null) { node, _ in .array([node]) } }

    @Test func theDepthLimitIsTheSameBothWays() throws {
        #expect(try NativeValue(nested(64)).node() == nested(64))
        #expect(throws: NavWireError(code: .tooDeep, reason: "")) { try NativeValue(nested(65)) }
        var limits = NavWireLimits.default
        limits.maximumDepth = 65
        let deeper = try NativeValue(nested(65), limits: limits)
        #expect(throws: NavWireError(code: .tooDeep, reason: "")) { try deeper.node(limits: .default) }
        #expect(try deeper.node() == nested(65))
        let value = try NavWireEncoder().encode([[[[1]]]])
        limits.maximumDepth = 3
        #expect(throws: NavWireError(code: .tooDeep, reason: "")) {
            try NavWireDecoder(limits: limits).decode([[[[Int]]]].self, from: value)
        }
        #expect(throws: NavWireError(code: .tooDeep, reason: "")) {
            try NavWireEncoder(options: .init(compression: .none, limits: limits)).encode([[[[1]]]])
        }
    }

    @Test func theDeepestValueHoldsOnASmallStack() async throws {
        var value = Nest.leaf
        // Two levels of keyed containers and one array each.
        for _ in 0..<20 { value = .deeper([value]) }
        let deepest = value
        try await SmallStack.run { () throws -> Void in #expect(try roundTrip(deepest) == deepest) }
    }

    @Test func aSmallDocumentDoesNotExpandWithoutBounds() throws {
        let text = String(repeating: "w", count: 64)
        let many = [String](repeating: text, count: 200_000)
        var limits = NavWireLimits.default
        limits.maximumExpandedByteCount = 1 << 24
        #expect(try NavWireDecoder().decode([String].self, from: NavWireEncoder().encode(many)) == many)
        limits.maximumExpandedByteCount = 1 << 20
        #expect(throws: NavWireError(code: .tooLarge, reason: "")) {
            try NavWireEncoder(options: .init(compression: .none, limits: limits)).encode(many)
        }
        let bytes = try NavWireEncoder().encode(many)
        #expect(throws: NavWireError(code: .tooLarge, reason: "")) {
            try NavWireDecoder(limits: limits).decode([String].self, from: bytes)
        }
    }

    @Test func everyLimitHoldsBothWays() throws {
        var small = NavWireLimits.default
        small.maximumPayloadByteCount = 100
        let value = String(repeating: "x", count: 200)
        #expect(throws: NavWireError(code: .tooLarge, reason: "")) {
            try NavWireEncoder(options: .init(compression: .none, limits: small)).encode(value)
        }
        let bytes = try NavWireEncoder().encode(value)
        #expect(throws: NavWireError(code: .tooLarge, reason: "")) {
            try NavWireDecoder(limits: small).decode(String.self, from: bytes)
        }
        var few = NavWireLimits.default
        few.maximumValueCount = 10
        #expect(throws: NavWireError(code: .tooLarge, reason: "")) {
            try NavWireEncoder(options: .init(compression: .none, limits: few)).encode(Array(0..<20))
        }
        let numbers = try NavWireEncoder().encode(Array(0..<20))
        #expect(throws: NavWireError(code: .tooLarge, reason: "")) {
            try NavWireDecoder(limits: few).decode([Int].self, from: numbers)
        }
        few.maximumElementCount = 2
        let path = [PathElement](repeating: PathElement(tag: "T", value: .json(.null)), count: 3)
        #expect(throws: NavWireError(code: .tooLarge, reason: "")) {
            try PathEnvelope.encode(path, options: .init(limits: few))
        }
    }

    /// No number is so odd that it traps. What a limit lets through in one direction it lets through in the other.
    @Test(arguments: [Int.min, .min + 1, -1, 0, 1, .max - 1, .max]) func anyNumberIsALimit(number: Int) throws {
        let all: [WritableKeyPath<NavWireLimits, Int>] = [
            \.maximumPayloadByteCount, \.maximumJSONByteCount, \.maximumElementByteCount, \.maximumDepth,
            \.maximumElementCount, \.maximumTagByteCount, \.maximumValueCount, \.maximumExpandedByteCount,
        ]
        let value: [Set<[Int: Set<String>]>] = [[[1: ["a"]], [2: ["b", "c"]]]]
        let (bytes, json) = (try NavWireEncoder().encode(value), Array(#"["A.B","[{\"a\":\"b\"}]"]"#.utf8))
        let path = try SwiftUIJSON.decode(json) + [PathElement(tag: "C.D", value: ElementCoder.encode(value))]
        let envelope = try PathEnvelope.encode(path)
        for limit in all {
            var limits = NavWireLimits.default
            limits[keyPath: limit] = number
            let options = NavWireOptions(limits: limits)
            let done: [Bool] = [
                (try? NavWireEncoder(options: options).encode(value)) != nil,
                (try? NavWireDecoder(limits: limits).decode(type(of: value), from: bytes)) != nil,
                (try? PathEnvelope.encode(path, options: options)) != nil,
                (try? PathEnvelope.decode(envelope, limits: limits)) != nil,
                (try? ElementCoder.encode(value, limits: limits)) != nil,
                (try? SwiftUIJSON.encode(path, limits: limits)) != nil,
                (try? SwiftUIJSON.decode(json, limits: limits)) != nil,
                (try? PathJSON.encodeSwiftCrossUI(path, limits: limits)) != nil,
            ]
            #expect(done[0] == done[1] && done[2] == done[3])
            if number > 1 { #expect(done == [Bool](repeating: true, count: done.count)) }
            _ = EnvelopeInspection.inspect(envelope, limits: limits)
        }
    }

    @Test func aSliceOfDataAndAnyTruncationOfItAreNoTrap() throws {
        let whole = try NavWireEncoder(options: .init()).encode([Pair(x: 1, y: 2), Pair(x: 3, y: 400)])
        let padded = Data([1, 2, 3, 4, 5] + whole)
        #expect(try NavWireDecoder().decode([Pair].self, from: Array(padded[5...])).count == 2)
        for count in whole.indices {
            #expect(throws: NavWireError.self) {
                try NavWireDecoder().decode([Pair].self, from: Array(whole[..<count]))
            }
        }
    }

    @Test func aTrainedDictionaryIsNeededByIts() throws {
        var random = RandomContent(seed: 9)
        let envelopes = try (0..<400).map { _ in try PathEnvelope.encode(random.path()) }
        let dictionary = try NavWireDictionary.train(on: envelopes, byteCount: 4096)
        #expect(!dictionary.isShipped)
        let path = [PathElement(tag: "Shop.Product", value: .json(.string(String(repeating: "naïve café ", count: 9))))]
        let envelope = try PathEnvelope.encode(path, options: .init(dictionary: dictionary))
        #expect(try PathEnvelope.decode(envelope, dictionary: NavWireDictionary(bytes: dictionary.bytes)) == path)
        let error = #expect(throws: NavWireError.self) { try PathEnvelope.verifiedPayload(of: envelope) }
        #expect(error?.code == .unknownDictionary)
        #expect(error?.reason.contains(String(dictionary.id, radix: 16)) == true)
        #expect(try PathEnvelope.dictionaryID(of: envelope) == dictionary.id)
        #expect(try PathEnvelope.dictionaryID(of: PathEnvelope.encode(path)) == NavWireDictionary.shipped.id)
        #expect(try PathEnvelope.dictionaryID(of: PathEnvelope.encode([])) == nil)
    }

    @Test func aDictionaryIsTakenFromAFileOnlyWhenATrainerMadeIt() throws {
        #expect(try NavWireDictionary(checking: NavWireDictionary.shipped.bytes).isShipped == false)
        for bytes in [[], [0x37], Array("[]".utf8), Array(NavWireDictionary.shipped.bytes.prefix(40))] {
            let error = #expect(throws: NavWireError.self) { try NavWireDictionary(checking: bytes) }
            #expect(error?.code == .malformed)
        }
        let few = try (0..<7).map { try PathEnvelope.encode([PathElement(tag: "\($0)", value: .json(.null))]) }
        let error = #expect(throws: NavWireError.self) { try NavWireDictionary.train(on: few) }
        #expect(error?.reason.hasPrefix("7 paths are too few") == true)
    }

    /// What an item is kept as is the same to every reader, whatever its limits.
    @Test func importHasTheFormatsLimitsWhateverTheReaders() throws {
        var limits = NavWireLimits.default
        (limits.maximumDepth, limits.maximumValueCount) = (1_000, 1 << 20)
        limits.maximumPayloadByteCount = 8 << 20
        let deep = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
        let wide = "[" + String(repeating: "0,", count: 1 << 18) + "0]"
        for (item, code) in [(deep, NavWireError.Code.tooDeep), (wide, .tooLarge)] {
            #expect(throws: NavWireError(code: code, reason: "")) {
                try PathElement(checkingTag: "T.T", item: item, limits: limits)
            }
            let verbatim = [PathElement(tag: "T.T", value: .verbatim(item))]
            let options = NavWireOptions(limits: limits)
            let envelope = try PathEnvelope.encode(verbatim, options: options)
            #expect(try PathEnvelope.decode(envelope, limits: limits) == verbatim)
        }
        let value = (0..<65).reduce(JSONValue.null) { value, _ in .array([value]) }
        #expect(throws: NavWireError(code: .tooDeep, reason: "")) {
            try PathEnvelope.encode(
                [PathElement(tag: "T.T", value: .json(value))], options: NavWireOptions(limits: limits))
        }
    }
}
