// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavWire
import Testing

@Suite struct PathDecodingTests {
    private func registry(_ build: (inout RouteRegistry) throws -> Void = { _ in }) throws -> RouteRegistry {
        var registry = RouteRegistry()
        try build(&registry)
        return registry
    }

    @Test func aRegisteredNameBecomesItsType() throws {
        var path = try decodedPath(#"["App.Pic","{\"n\":9}","Swift.Int","7"]"#)
        #expect(path.count == 2)
        let registry = try registry { try $0.register(App.Pic.self, as: "App.Pic") }
        let issues1 = path.resolve(using: registry)
        #expect(issues1.isEmpty)
        var expected = NavigationPath([7])
        expected.append(App.Pic(n: 9))
        #expect(path == expected)
    }

    @Test func anElementCountsBeforeItIsKnownAndCanBePruned() throws {
        var path = try decodedPath(#"["Swift.Bool","true","X.Gone","{}","Swift.Int","1"]"#)
        #expect(path.count == 3 && path.unresolvedCount == 3)
        let issues2 = path.resolve(using: .standard)
        #expect(issues2 == [issue(.unknownTag, 1, "X.Gone")])
        #expect(path.count == 3 && path.unresolvedCount == 1)
        let pruned = path.pruneUnresolved()
        #expect(pruned == 1)
        var expected = NavigationPath([1])
        expected.append(true)
        #expect(path == expected)
    }

    @Test(arguments: [(UndecodablePolicy.keepPrefix, 1), (.skip, 2), (.keepOpaque, 3)])
    func aPolicyDecidesAboutWhatDoesNotDecode(_ policy: UndecodablePolicy, _ count: Int) throws {
        for middle in [#""X.Gone","{}""#, #""Swift.Int","\"no\"""#, #""Swift.Int","{""#] {
            var path = try decodedPath(#"["Swift.Bool","true",\#(middle),"Swift.Int","1"]"#)
            let issues = path.resolve(using: .standard, policy: policy)
            #expect(issues.map(\.index) == [1])
            #expect(path.count == count)
            #expect(path.inspection().first?.value as? Int == 1)
        }
    }

    @Test func lateRegistrationGoesOnWhereTheFirstLeftOff() throws {
        var path = try decodedPath(#"["App.Pic","{\"n\":2}","App.Pic","{\"n\":1}"]"#)
        let issues3 = path.resolve(using: .standard)
        #expect(issues3.count == 2)
        let issues4 = path.resolve(using: try registry { try $0.register(App.Pic.self, as: "App.Pic") })
        #expect(issues4.isEmpty)
        #expect(path == NavigationPath([App.Pic(n: 1), App.Pic(n: 2)]))
    }

    @Test func aBrokenItemThrowsWithTagAndIndexAndNeverTraps() throws {
        let element = PathElement(tag: "Swift.Int", value: try PathValue(item: "{"))
        let error = try #require(throws: DecodingError.self) { try RouteRegistry.standard.value(of: element, at: 4) }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.codingPath.map(\.intValue) == [4])
        #expect(context.debugDescription.contains("element 4 (Swift.Int)"))
    }

    @Test func reasonsTellWhatIsWrong() throws {
        let json = #"["Swift.Int","1.5","Swift.Int","[","X.Y","1"]"#
        var path = try decodedPath(json)
        let issues = path.resolve(using: .standard)
        #expect(
            issues == [
                issue(.unknownTag, 0, "X.Y"), issue(.itemNotJSON, 1, "Swift.Int"), issue(.notDecodable, 2, "Swift.Int"),
            ])
        #expect(issues[1].reason.contains("at byte 1"))
        #expect(
            try ReferenceJSON.strings(Array(Coders.encoder.encode(path.codable)))
                == ReferenceJSON.strings(Array(json.utf8)))
    }

    @Test(arguments: ["null", "{}", "[\"Swift.Int\",1]", "[\"Swift.Int\"]", "[1]", "\"x\""])
    func whatIsNoPathThrows(_ json: String) {
        #expect(throws: DecodingError.self) { try representation(json) }
    }

    @Test func anOddCountNamesTheIndex() throws {
        let error = try #require(throws: DecodingError.self) { try representation(#"["Swift.Int"]"#) }
        guard case .valueNotFound(_, let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.codingPath.last?.intValue == 1)
    }

    @Test func theRuntimeIsNeverAskedForAType() throws {
        // The runtime's lookup has no UInt64 by this name, and crashed on some of the others.
        var path = try decodedPath(#"["Swift.UInt64","18446744073709551615"]"#)
        let issues5 = path.resolve(using: .standard)
        #expect(issues5.isEmpty)
        #expect(path.inspection().last?.value as? UInt64 == .max)
        for tag in ["SiSg", "$s", "$sSiSgD", "_$s", "Optional<99>", "Swift.Optional<99>", "SS", "Si"] {
            #expect(!RouteRegistry.standard.knows(tag))
            let pair = try Coders.text([tag, "1", "Swift.Int", "1"])
            var path = try decodedPath(pair)
            let issues6 = path.resolve(using: .standard)
            #expect(issues6 == [issue(.unknownTag, 1, tag)])
            #expect(try Coders.text(path.codable) == pair)
        }
    }

    @Test func aRegisteredTypeDecodesAsJSONDecoderDoes() throws {
        let date = Date(timeIntervalSinceReferenceDate: 0.1)
        let values: [any Codable & Hashable] = [
            1, UInt64.max, Int128.min, -0.0, 3.5 as Float, "é\u{2028}", true, Int?.none as Int?, Int?.some(5) as Int?,
            UUID(), date, Data([0, 1, 2, 255]), Decimal(string: "12345678901234567890.123456789012345678") ?? 0,
            [1, 2], ["k": 1], Set([3]), 1..<5, 1...5, Duration.seconds(1), Locale(identifier: "en_US"),
            DateComponents(year: 2026), TimeZone(identifier: "GMT") ?? .current, IndexPath(indexes: [1, 2]),
            [UUID()], [Date?.none, date], App.Screen.home, App.Screen.article("Earth"),
            App.Screen.detail(id: 1, note: nil), App.Screen.pair(1, 2), App.Tabbed(tab: .top), App.Tab.new,
            App.Generic(value: App.Generic(value: "x")),
        ]
        let registry = try registry {
            try $0.register(App.Screen.self)
            try $0.register(App.Tab.self)
            try $0.register(App.Tabbed.self)
            try $0.register(App.Generic<App.Generic<String>>.self)
        }
        for value in values { try expectRoundTrip(value, registry) }
    }

    private func expectRoundTrip<V: Codable & Hashable>(_ value: V, _ registry: RouteRegistry) throws {
        let path = NavigationPath([value])
        let bytes = try Coders.encoder.encode(path.codable)
        let item = try ReferenceJSON.strings(Array(bytes))[1]
        let reference = try Coders.decoder.decode(V.self, from: Data(item.utf8))
        var decoded = NavigationPath(try Coders.decoder.decode(NavigationPath.CodableRepresentation.self, from: bytes))
        #expect(decoded.isEquivalent(to: path))
        let issues7 = decoded.resolve(using: registry)
        #expect(issues7.isEmpty, "\(V.self)")
        #expect(decoded == NavigationPath([reference]), "\(V.self)")
        // The compact form gives the value itself.
        let envelope = try #require(path.codable).envelope()
        var compact = NavigationPath(try NavigationPath.CodableRepresentation(envelope: envelope))
        #expect(compact.isEquivalent(to: path) && compact.isEquivalent(to: decoded), "\(V.self)")
        let compactIssues = compact.resolve(using: registry)
        #expect(compactIssues.isEmpty, "\(V.self)")
        #expect(compact == path, "\(V.self)")
        // The plain form gives the same value.
        var plain = NavigationPath(try SwiftUIJSON.decode(SwiftUIJSON.encode(path.elements(using: registry).elements)))
        let issues8 = plain.resolve(using: registry)
        #expect(issues8.isEmpty)
        #expect(plain == decoded)
    }

    @Test func aSampleResolvesAsJSONDecoderReadsIt() throws {
        var path = NavigationPath(
            try Coders.decoder.decode(
                NavigationPath.CodableRepresentation.self, from: Data(SampleFile.bytes("fragments"))))
        let issues9 = path.resolve(using: .standard)
        #expect(issues9.isEmpty)
        var expected = NavigationPath()
        expected.append(42)
        expected.append(true)
        expected.append(3.5)
        expected.append("hello")
        expected.append(UInt64.max)
        expected.append(Int?.none)
        expected.append([try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))])
        #expect(path == expected)
    }
}
