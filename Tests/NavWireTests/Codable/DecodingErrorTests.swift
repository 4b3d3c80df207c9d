// SPDX-License-Identifier: Apache-2.0
import NavWire
import Testing

@Suite struct DecodingErrorTests {
    struct Outer: Codable { var a: [Inner] }
    struct Inner: Codable { var b: Int }

    private func path(of error: (any Error)?) -> [String]? {
        switch error {
        case DecodingError.typeMismatch(_, let context)?, DecodingError.valueNotFound(_, let context)?,
            DecodingError.keyNotFound(_, let context)?, DecodingError.dataCorrupted(let context)?:
            context.codingPath.map(\.stringValue)
        default: nil
        }
    }

    @Test func everyErrorHasItsPath() throws {
        let value = Writes {
            var container = $0.container(keyedBy: AnyKey.self)
            var list = container.nestedUnkeyedContainer(forKey: "a")
            try list.encode(["b": 1])
            try list.encode(["b": 2])
            try list.encode(["b": "three"])
        }
        let bytes = try NavWireEncoder().encode(value)
        let error = #expect(throws: DecodingError.self) { try NavWireDecoder().decode(Outer.self, from: bytes) }
        #expect(path(of: error) == ["a", "Index 2", "b"])
        let deep = try NavWireEncoder().encode([[[[[[[[1 as Int?]]]]]]], [[[[[[[nil]]]]]]]])
        let second = #expect(throws: DecodingError.self) {
            try NavWireDecoder().decode([[[[[[[[Int]]]]]]]].self, from: deep)
        }
        #expect(path(of: second) == ["Index 1"] + Array(repeating: "Index 0", count: 7))
        let missing = #expect(throws: DecodingError.self) {
            try NavWireDecoder().decode([Inner].self, from: NavWireEncoder().encode([["c": 1]]))
        }
        #expect(path(of: missing) == ["Index 0"])
    }

    @Test(arguments: [1, 1_024, 1_025, 5_000]) func whatIsMissingHasItsPathHoweverMuchIs(_ count: Int) throws {
        let bytes = try NavWireEncoder().encode(Array(repeating: ["x": 1], count: count))
        try NavWireDecoder().decode(Reads<Void>.self, from: bytes) { decoder in
            var list = try decoder.unkeyedContainer()
            for index in 0..<count {
                let item = try list.nestedContainer(keyedBy: AnyKey.self)
                let error = #expect(throws: DecodingError.self) { try Int(from: item.superDecoder()) }
                #expect(path(of: error) == ["Index \(index)", "super"])
            }
        }
    }

    @Test func nothingDecodesAsAnotherType() throws {
        let number = try NavWireEncoder().encode(1)
        #expect(throws: DecodingError.self) { try NavWireDecoder().decode(String.self, from: number) }
        #expect(throws: DecodingError.self) { try NavWireDecoder().decode(Bool.self, from: number) }
        #expect(throws: DecodingError.self) { try NavWireDecoder().decode(Double.self, from: number) }
        #expect(throws: DecodingError.self) { try NavWireDecoder().decode([Int].self, from: number) }
        #expect(throws: DecodingError.self) { try NavWireDecoder().decode([String: Int].self, from: number) }
        let text = try NavWireEncoder().encode("E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        #expect(throws: DecodingError.self) { try NavWireDecoder().decode(Int.self, from: text) }
        let null = try NavWireEncoder().encode("$null")
        #expect(try NavWireDecoder().decode(String.self, from: null) == "$null")
    }

    @Test func anItemThatFailedCanBeTriedAsAnotherType() throws {
        #expect(try roundTrip([Mixed.number(1), .text("a"), .number(2)]) == [.number(1), .text("a"), .number(2)])
        let bytes = try NavWireEncoder().encode([Mixed.text("a"), .number(5)])
        try NavWireDecoder().decode(Reads<Void>.self, from: bytes) { decoder in
            var container = try decoder.unkeyedContainer()
            #expect(throws: DecodingError.self) { try container.decode(Int.self) }
            #expect(container.currentIndex == 0)
            #expect(try container.decode(String.self) == "a")
            #expect(try container.decode(Int.self) == 5)
            #expect(throws: DecodingError.self) { try container.decode(Int.self) }
        }
    }

    @Test func aLoopThatSkipsWhatItCannotReadEnds() throws {
        let bytes = try NavWireEncoder().encode([Mixed.text("a"), .number(1), .number(2), .text("b"), .text("c")])
        let found = try NavWireDecoder().decode(Reads<[String]>.self, from: bytes) { decoder in
            var container = try decoder.unkeyedContainer()
            var found: [String] = []
            for _ in 0..<100 where !container.isAtEnd {
                if let text = try? container.decode(String.self) { found.append(text) }
            }
            #expect(container.isAtEnd)
            return found
        }
        #expect(found == ["a", "b", "c"])
    }

    @Test func userInfoAndCodingPathReachEveryDepth() throws {
        let key = CodingUserInfoKey(rawValue: "v")!
        nonisolated(unsafe) var seen: [String] = []
        let probe = Writes { encoder in
            seen.append(
                "\(encoder.userInfo[key] ?? "none") " + encoder.codingPath.map(\.stringValue).joined(separator: "."))
            try 1.encode(to: encoder)
        }
        var encoder = NavWireEncoder()
        encoder.userInfo[key] = 2
        let bytes = try encoder.encode(
            Writes {
                var outer = $0.container(keyedBy: AnyKey.self)
                var list = outer.nestedUnkeyedContainer(forKey: "list")
                try list.encode(0)
                try list.encode(probe)
                try outer.encode(probe, forKey: "last")
                try probe.encode(to: outer.superEncoder())
            })
        #expect(seen == ["2 list.Index 1", "2 last", "2 super"])
        var decoder = NavWireDecoder()
        decoder.userInfo[key] = 3
        let found = try decoder.decode(Reads<[String]>.self, from: bytes) { decoder in
            let outer = try decoder.container(keyedBy: AnyKey.self)
            var list = try outer.nestedUnkeyedContainer(forKey: "list")
            _ = try list.decode(Int.self)
            let nested = try list.superDecoder()
            return [nested, try outer.superDecoder()].map {
                "\($0.userInfo[key] ?? "none") " + $0.codingPath.map(\.stringValue).joined(separator: ".")
            }
        }
        #expect(found == ["3 list.Index 1", "3 super"])
    }

    @Test func keysInAnyOrderAreFound() throws {
        struct Written: Codable { var a = 1, b = [2, 3], c = "x", d: Int? = 4 }
        struct Read: Codable, Equatable {
            var d: Int?, c: String, a: Int
            enum CodingKeys: String, CodingKey { case d, c, a }
        }
        let bytes = try NavWireEncoder().encode([Written(), Written()])
        #expect(
            try NavWireDecoder().decode([Read].self, from: bytes) == [
                Read(d: 4, c: "x", a: 1), Read(d: 4, c: "x", a: 1),
            ])
    }
}
