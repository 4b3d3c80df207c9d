// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

struct MangledOuter {
    struct Inner {}
    enum Kind { case one }
    final class NavigationPathOuter { struct OuterPath {} }
}
struct MangledGeneric<T> {
    struct Nested {}
    struct Both<U> {}
    enum E { case one }
}
struct MangledThingList {
    struct MangledThing2 {}
    struct ThingList {}
    struct ListMangled {}
}
private struct MangledSecret { struct Inside {} }

@Suite struct MangledNameTests {
    @Test func readsWhatTheRuntimeWrites() throws {
        let types: [Any.Type] = [
            Int.self, String?.self, [Int].self, [String: String].self, [String: Int?].self, Set<UInt64>.self,
            MangledOuter.self, MangledOuter.Inner.self, MangledOuter.Kind.self, MangledGeneric<Int>.self,
            MangledGeneric<MangledOuter>.self, MangledGeneric<MangledGeneric<MangledOuter>>.self,
            MangledGeneric<Int>.Nested.self, MangledGeneric<MangledOuter>.Both<MangledOuter>.self,
            MangledGeneric<MangledGeneric<Int>.E>.Both<MangledGeneric<String>.Nested>.self, UUID.self, [UUID].self,
            [UUID: URL].self, [URL: URL].self, MangledThingList.self, MangledThingList.MangledThing2.self,
            MangledThingList.ThingList.self, MangledThingList.ListMangled.self, MangledOuter.NavigationPathOuter.self,
            MangledOuter.NavigationPathOuter.OuterPath.self, MangledSecret.self, MangledSecret.Inside.self,
            MangledGeneric<MangledSecret>.self, ClosedRange<Int>.self, Range<Double>.self, Duration.self,
            CGPoint.self, Int128.self, [[MangledOuter?]].self, [Character].self, Decimal.self, Float?.self,
            [Int8: [Int16: [UInt: Bool]]].self, TypeNameTests.Generic<[Int: Set<String?>]>.Nested.self,
        ]
        for type in types {
            let mangled = try #require(_mangledTypeName(type))
            #expect(MangledName.typeName(mangled)?.description == String(reflecting: type), "\(mangled)")
            #expect(MangledName.isMangled(mangled))
        }
    }

    @Test(arguments: [
        "", "S", "$s", "$sSi", "Sg", "SiSgg", "SiSi", "Say", "SayG", "SaySiGG", "3AppV", "3App", "9App4UserV",
        "3App4UserVG", "3App4UserVyG_", "AA", "3AppAZV", "A9999999_", "0", "00", "000", "0A", "3App0Z0V", "S9i",
        "S99999999999i", "Swift.Int", "User", "SiXZ", "99999999999999999999A", "_", "y", "G", "XZ", "yXZ",
        "3AppyXZ4UserV", "3A.p4UserV", "3App4Us.rV", "3App2$gyXZ4UserV", "3App1$yXZ4UserV", "01AV0",
        "3App3$1FyXZ4UserV",
        "\u{1}\u{0}\u{0}\u{0}\u{0}", "Optional<99>",
    ])
    func whatIsNoTypesNameIsNil(_ text: String) { #expect(MangledName.typeName(text) == nil) }

    @Test func readableNamesAreNotMangled() {
        for tag in ["Swift.Int", "User", "Settings", "SignUp", "Sb.Si", "Screen", "Say", "App.Sg"] {
            #expect(!MangledName.isMangled(tag), "\(tag)")
        }
    }

    @Test func aNameThatWouldExplodeIsRefused() {
        // Each step makes a dictionary of the last type with itself.
        var name = "SDySSSiG"
        for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" { name = "SDy" + name + "A\(letter)G" }
        #expect(MangledName.typeName(name) == nil)
    }

    /// Each of these has few bytes, and would be a name of millions, or of a thousand copies of one.
    static let explosive: [String] = {
        let words = "0" + String(repeating: "a", count: 170) + "A0"
        let long = "s150W" + String(repeating: "w", count: 149) + "Vy" + words + "ACVA31DA30DG"
        let doubled = (2...25).reduce("SDySSSiG") { $0 + "SDyA\(letter($1 - 2))A\(letter($1 - 2))G" }
        return [
            long, doubled, "3App200W" + String(repeating: "w", count: 199) + String(repeating: "0aA0", count: 70),
            "Siy" + String(repeating: "S32i", count: 126) + "G", "3App1aV" + String(repeating: "A32A", count: 120),
            "Si" + String(repeating: "Sg", count: 250), "s1a" + String(repeating: "1aV", count: 165),
            "3AppA" + String(repeating: "32a", count: 160) + "A", String(repeating: "Say", count: 170),
        ]
    }()

    private static func letter(_ place: Int) -> String { String(UnicodeScalar(UInt8(ascii: "A") + UInt8(place))) }

    @Test(arguments: explosive) func noNameIsMuchLongerThanItsText(_ text: String) {
        #expect(text.utf8.count <= NavWireLimits.default.maximumTagByteCount)
        checkWork(text)
    }

    private func checkWork(_ text: String) {
        var parser = MangledNameParser(text)
        let byteCount = parser.readWhole()?.description.utf8.count ?? 0
        #expect(byteCount <= MangledNameParser.maximumByteCount, "\(text)")
        #expect(parser.work <= MangledNameParser.maximumWorkPerByte * text.utf8.count, "\(text)")
    }

    @Test func thePathOfCraftedNamesIsToldFromSwiftUIs() throws {
        let tags = Self.explosive.filter { $0.first?.isNumber == true }
        let json = try JSONEncoder().encode(tags.flatMap { [$0, "1"] })
        #expect { try SwiftUIJSON.decode(Array(json)) } throws: { ($0 as? NavWireError)?.code == .unsupportedVariant }
        try checkTags(json)
        var values: [any Encodable] = []
        for tag in Self.explosive { values += [["push": [String: String]()], tag, "1"] }
        try checkTags(JSONEncoder().encode(values.map { AnyItem(value: $0) }))
    }

    private func checkTags(_ json: Data) throws {
        let elements = try PathJSON.decode(Array(json)).elements
        #expect(!elements.isEmpty)
        for element in elements {
            #expect(element.tag.utf8.count <= NavWireLimits.default.maximumTagByteCount)
        }
    }

    private struct AnyItem: Encodable {
        let value: any Encodable
        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    @Test func aReadableNameThatIsTooLongForATagIsLeftMangled() throws {
        let json = try JSONEncoder().encode(["3App10RouteTableV", "1", "Si", "2"])
        var limits = NavWireLimits.default
        limits.maximumTagByteCount = 18
        let tags = try PathJSON.decode(Array(json), limits: limits).elements.map(\.tag)
        #expect(tags == ["Swift.Int", "App.RouteTable"])
        limits.maximumTagByteCount = 15
        let arrays = try JSONEncoder().encode(["SaySSG", "[]"])
        let element = try #require(try PathJSON.decode(Array(arrays), limits: limits).elements.first)
        #expect(element.tag == "SaySSG" && element.oddity == .notATypeName)
        #expect(try PathJSON.decode(Array(arrays)).elements.first?.tag == "Swift.Array<Swift.String>")
        let crossUI = Array(#"[{"type":"Foundation.CGFloat","value":"MQ=="}]"#.utf8)
        limits.maximumTagByteCount = 18
        #expect(try PathJSON.decode(crossUI, limits: limits).elements.first?.tag == "Foundation.CGFloat")
        #expect(try PathJSON.decode(crossUI).elements.first?.tag == "CoreGraphics.CGFloat")
    }

    @Test func tagsOfMoreElementsThanAPathMayHaveAreNotRead() throws {
        var limits = NavWireLimits.default
        limits.maximumElementCount = 10
        let json = try JSONEncoder().encode(Array(repeating: "SSSg", count: 34))
        #expect { try SwiftUIJSON.decode(Array(json), limits: limits) } throws: {
            ($0 as? NavWireError)?.code == .tooLarge
        }
    }

    @Test func noTextTraps() {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "S", "i", "y", "G", "_", "V", "O", "C", "A", "a", "B", "0", "1", "3", "12", "App", "g", "XZ", "s", "So",
            "$1f", "$g", "a.b", "2$1", "3a.b", "02", "yXZ", "1é",
        ]
        for _ in 0..<50_000 {
            let count = Int.random(in: 0...14, using: &random)
            let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            checkWork(text)
            if let name = MangledName.typeName(text) {
                #expect(TypeName(name.description) == name, "seed \(seed): \(text)")
            }
        }
    }
}
