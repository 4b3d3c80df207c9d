// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavWire
import Testing

private struct Settings: Codable, Hashable { var dark = true }

@Suite struct RouteRegistryTests {
    private func resolved(_ json: String, _ registry: RouteRegistry) throws -> NavigationPath {
        var path = try decodedPath(json)
        let issues1 = path.resolve(using: registry)
        #expect(issues1.isEmpty)
        return path
    }

    @Test func bothSystemsSpellingsFindOneType() throws {
        let id = "\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\""
        let paths = try [("Foundation.UUID", id), ("FoundationEssentials.UUID", id.lowercased())].map { tag, item in
            try resolved(Coders.text([tag, item, "Swift.Array<\(tag)>", "[\(item)]"]), .standard)
        }
        #expect(paths[0] == paths[1])
        #expect(try paths[1].elements().elements.map(\.tag) == ["Swift.Array<Foundation.UUID>", "Foundation.UUID"])
        #expect(RouteRegistry().tag(of: UUID.self) == "Foundation.UUID")
        #expect(
            RouteRegistry().tag(of: [String: URL?].self)
                == "Swift.Dictionary<Swift.String, Swift.Optional<Foundation.URL>>")
    }

    @Test func aRenamedModuleAndARenamedTypeAreFollowed() throws {
        var registry = RouteRegistry()
        try registry.register(App.Spot.self, as: "NewKit.Maps.Spot")
        try registry.rename("OldKit", to: "NewKit")
        try registry.rename("NewKit.Charts", to: "NewKit.Maps")
        for tag in ["OldKit.Maps.Spot", "NewKit.Charts.Spot", "OldKit.Charts.Spot"] {
            let path = try resolved(Coders.text([tag, #"{"id":1}"#, "Swift.Array<\(tag)>", "[]"]), registry)
            #expect(
                try path.elements(using: registry).elements.map(\.tag) == [
                    "Swift.Array<NewKit.Maps.Spot>", "NewKit.Maps.Spot",
                ])
        }
        #expect(!registry.knows("OldKitten.Maps.Spot"))
    }

    @Test func aliasesOfTheLeafAndBareNamesAreFollowed() throws {
        var registry = RouteRegistry()
        try registry.register(App.User.self, as: "App.NewLog", aliases: ["App.OldLog", "User", "log/1"])
        let item = #"{"id":42,"name":"Blob"}"#
        for tag in ["App.OldLog", "User", "log/1", "App.NewLog"] {
            #expect(
                try resolved(Coders.text([tag, item]), registry) == NavigationPath([App.User(id: 42, name: "Blob")]))
        }
        #expect(
            try resolved(Coders.text(["Swift.Optional<App.OldLog>", "null"]), registry)
                == NavigationPath([App.User?.none]))
        // Without the alias the element is kept, and nothing else is disturbed.
        var path = try decodedPath(Coders.text(["App.OldLog", item, "Swift.Int", "1"]))
        let issues2 = path.resolve(using: .standard)
        #expect(issues2 == [issue(.unknownTag, 1, "App.OldLog")])
        #expect(path.count == 2)
    }

    @Test func aMigrationRunsBeforeDecoding() throws {
        let json = #"["App.User","{\"id\":1}","Swift.Int","7"]"#
        var plain = RouteRegistry()
        try plain.register(App.User.self, as: "App.User")
        var path = try decodedPath(json)
        let issues3 = path.resolve(using: plain, policy: .keepPrefix)
        #expect(issues3 == [issue(.notDecodable, 1, "App.User")])
        #expect(path == NavigationPath([7]))
        var migrating = RouteRegistry()
        try migrating.register(App.User.self, as: "App.User") { element in
            guard case .json(.object(let object)) = element.value, object["name"] == nil else { return nil }
            return .object(JSONObject(object.members + [.init(key: "name", value: .string("unnamed"))]))
        }
        var expected = NavigationPath([7])
        expected.append(App.User(id: 1, name: "unnamed"))
        #expect(try resolved(json, migrating) == expected)
        // One that a program of ours wrote, in the compact form, is migrated too.
        struct Old: Codable, Hashable { var id = 1 }
        var old = RouteRegistry()
        try old.register(Old.self, as: "App.User")
        let envelope = try PathEnvelope.encode(NavigationPath([Old()]).elements(using: old).elements)
        var compact = NavigationPath(try PathEnvelope.decode(envelope))
        let issues = compact.resolve(using: migrating)
        #expect(issues.isEmpty)
        #expect(compact == NavigationPath([App.User(id: 1, name: "unnamed")]))
        #expect(
            try resolved(#"["App.User","{\"id\":1,\"name\":\"Blob\"}"]"#, migrating)
                == NavigationPath([App.User(id: 1, name: "Blob")]))
    }

    @Test func aPrivateTypeNeedsAName() throws {
        var registry = RouteRegistry()
        #expect(throws: NavWireError(code: .privateType, reason: "")) { try registry.register(Settings.self) }
        try registry.register(Settings.self, as: "prefs")
        let path = NavigationPath([Settings()])
        let json = try SwiftUIJSON.encode(path.elements(using: registry).elements)
        #expect(String(decoding: json, as: UTF8.self) == #"["prefs","{\"dark\":true}"]"#)
        var decoded = NavigationPath(try SwiftUIJSON.decode(json))
        let issues4 = decoded.resolve(using: registry)
        #expect(issues4.isEmpty)
        #expect(decoded == path)
    }

    @Test func namesAreCheckedAndBelongToOneType() throws {
        var registry = RouteRegistry()
        try registry.register(App.Pic.self, as: "App.Pic")
        try registry.register(App.Pic.self, as: "App.Pic")
        #expect(throws: NavWireError(code: .nameTaken, reason: "")) {
            try registry.register(App.Spot.self, as: "App.Pic")
        }
        #expect(throws: NavWireError(code: .nameTaken, reason: "")) {
            try registry.register(App.Spot.self, aliases: ["FoundationEssentials.UUID"])
        }
        for name in ["", "a\u{1}b", "a\u{7F}", String(repeating: "a", count: 513)] {
            #expect(throws: NavWireError(code: .invalidTag, reason: "")) {
                try registry.register(App.Spot.self, as: name)
            }
        }
        #expect(throws: NavWireError(code: .invalidTag, reason: "")) { try registry.rename("A<B>", to: "C") }
        #expect(throws: NavWireError(code: .invalidTag, reason: "")) { try registry.rename("", to: "C") }
    }

    @Test func noReasonQuotesAValueThatIsHidden() throws {
        for redaction in [RouteRegistry.Redaction.none, .whenShown, .everywhere] {
            var registry = RouteRegistry()
            try registry.register(App.Tab.self, as: "App.Tab", redaction: redaction)
            var path = try decodedPath(#"["App.Tab","\"secret\""]"#)
            let issues = path.resolve(using: registry)
            #expect(issues == [issue(.notDecodable, 0, "App.Tab")])
            #expect("\(issues)".contains("secret") == (redaction == .none))
        }
    }

    @Test func aTypeRegisteredAgainTakesItsContainersAlong() throws {
        var registry = RouteRegistry()
        try registry.register(App.Park.self, as: "Old.Park")
        try registry.register(App.Park.self, as: "App.Park", redaction: .whenShown)
        #expect(registry.tag(of: App.Park.self) == "App.Park")
        #expect(registry.tag(of: [App.Park].self) == "Swift.Array<App.Park>")
        #expect(NavigationPath([[App.Park("a")]]).inspection(using: registry).map(\.isRedacted) == [true])
        #expect(registry.knows("Old.Park") && registry.knows("Swift.Set<Old.Park>"))
        try registry.register([App.Park].self, as: "parks")
        try registry.register(App.Park.self, as: "New.Park")
        #expect(registry.tag(of: [App.Park].self) == "parks")
    }

    /// What one hash stands for, or what is not equal to itself, makes a set slow; no tag from outside may ask for one.
    @Test func setsThatStrangersCouldMakeSlowAreNotRegistered() throws {
        for (tag, item) in [
            ("__C.NSDecimal", "1"), ("FoundationEssentials.Decimal", "2"), ("Foundation.Data", "\"AQ==\""),
            ("Foundation.DateInterval", #"{"start":0,"duration":1}"#), ("Foundation.URL", "\"http://a/b\""),
        ] {
            #expect(!RouteRegistry.standard.knows("Swift.Set<\(tag)>") && !RouteRegistry().knows("Swift.Set<\(tag)>"))
            for known in ["Swift.Array<\(tag)>", "Swift.Dictionary<Swift.String, \(tag)>", "Swift.Optional<\(tag)>"] {
                #expect(RouteRegistry.standard.knows(known))
            }
            var path = try decodedPath(Coders.text(["Swift.Set<\(tag)>", "[\(item)]", tag, item]))
            let issues = path.resolve(using: .standard)
            #expect(issues.map(\.code) == [.unknownTag] && path.count == 2)
        }
        // Who wants one registers it.
        var registry = RouteRegistry()
        try registry.register(Set<Decimal>.self)
        #expect(try resolved(Coders.text(["Swift.Set<__C.NSDecimal>", "[1]"]), registry).count == 1)
    }

    @Test func aTypeCanBeRegisteredWithoutItsSets() throws {
        var registry = RouteRegistry()
        try registry.register(App.Park.self, as: "App.Park", hasSets: false)
        #expect(registry.knows("Swift.Array<App.Park>") && !registry.knows("Swift.Set<App.Park>"))
        // Said later, it takes away what was registered before; but not what was registered by itself.
        try registry.register(App.Spot.self, as: "Old.Spot")
        try registry.register(App.Spot.self, as: "App.Spot")
        #expect(registry.knows("Swift.Set<App.Spot>") && registry.knows("Swift.Set<Old.Spot>"))
        try registry.register(App.Spot.self, as: "App.Spot", hasSets: false)
        #expect(!registry.knows("Swift.Set<App.Spot>") && !registry.knows("Swift.Set<Old.Spot>"))
        try registry.register(Set<App.Park>.self, as: "Swift.Set<App.Park>")
        try registry.register(App.Park.self, as: "App.Park", hasSets: false)
        #expect(registry.knows("Swift.Set<App.Park>"))
    }

    @Test func aRedactedTypeIsWrittenWithoutItsValueAndNeverShown() throws {
        var registry = RouteRegistry()
        try registry.register(App.Park.self, as: "App.Park", redaction: .everywhere)
        try registry.register(App.User.self, as: "App.User", redaction: .whenShown)
        var path = NavigationPath([App.Park("secret")])
        path.append(App.User(id: 1, name: "hidden"))
        let json = String(decoding: try SwiftUIJSON.encode(path.elements(using: registry).elements), as: UTF8.self)
        #expect(!json.contains("secret") && json.contains("App.Park") && json.contains("hidden"))
        let shown = path.inspection(using: registry)
        #expect(shown.map(\.description) == ["App.Park (redacted)", "App.User (redacted)"])
        #expect(shown.allSatisfy { $0.value == nil && $0.element == nil })
        var decoded = NavigationPath(try SwiftUIJSON.decode(Array(json.utf8)))
        #expect(decoded.inspection(using: registry).map(\.isRedacted) == [true, true])
        let issues5 = decoded.resolve(using: registry)
        #expect(issues5 == [issue(.redacted, 0, "App.Park")])
        #expect(!NavigationPath([App.Park("a")]).isEquivalent(to: NavigationPath([App.Park("b")]), using: registry))
    }
}
