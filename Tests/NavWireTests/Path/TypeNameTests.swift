// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

@Suite struct TypeNameTests {
    struct Generic<T> { struct Nested {} }
    private struct Secret {}

    @Test(arguments: [
        "Swift.Int", "App.Outer.Inner", "Swift.Dictionary<Swift.String, Swift.Array<Foundation.UUID>>",
        "exp.Gen<Swift.Int>.Nested", "exp.Gen<exp.Top>.E", "User", "__C.CGPoint", "Läden.Größe_2",
        "Swift.InlineArray<4, Swift.Int>", "(extension in App):Swift.Array<Swift.Int>.Slot",
    ])
    func aNameIsWrittenAsItWasRead(_ text: String) throws {
        #expect(try #require(TypeName(text)).description == text)
    }

    @Test(arguments: [
        "", ".", "A.", ".A", "A..B", "$s", "A B", "A<", "A<>", "A<B", "A<B>C", "A<B,C>", "9A", "A.9", "A,B", "A.<B>",
        "(unknown context at )", "App.(unknown context at $XYZ).A", "(extension in ):A.B", "A>", "A<B>>",
    ])
    func whatIsNoNameIsNil(_ text: String) { #expect(TypeName(text) == nil) }

    @Test func namesOfTheRuntimeAreRead() throws {
        let names: [Any.Type] = [
            [Int: Set<String?>].self, Generic<[Int]>.Nested.self, Generic<Generic<Int>>.self, Secret.self,
            Generic<Secret>.self, ClosedRange<Int>.self,
        ]
        for type in names {
            let name = try #require(TypeName(String(reflecting: type)), "\(String(reflecting: type))")
            #expect(name.isPrivate == String(reflecting: type).contains("unknown context"))
        }
    }

    @Test func anAddressDoesNotTakePartInTheName() throws {
        let first = try #require(TypeName("App.(unknown context at $10685e7ec).Secret"))
        let second = try #require(TypeName("App.(unknown context at $55ea9362e8c4).Secret"))
        #expect(first != second)
        #expect(first.canonical == second.canonical)
        #expect(first.description == "App.(unknown context at $10685e7ec).Secret")
        #expect(first.canonical.description == "App.(unknown context).Secret")
        #expect(first.isPrivate)
        #expect(first.module == "App")
    }

    @Test(arguments: [
        ("FoundationEssentials.UUID", "Foundation.UUID"), ("Foundation.UUID", "Foundation.UUID"),
        ("FoundationInternationalization.Locale", "Foundation.Locale"),
        ("Swift.Array<FoundationEssentials.UUID>", "Swift.Array<Foundation.UUID>"),
        (
            "App.Gen<Swift.Optional<FoundationEssentials.Date>>.Nested",
            "App.Gen<Swift.Optional<Foundation.Date>>.Nested"
        ),
        ("Foundation.CGPoint", "__C.CGPoint"), ("Foundation.CGFloat", "CoreGraphics.CGFloat"),
        ("CoreFoundation.CGFloat", "CoreGraphics.CGFloat"), ("FoundationEssentials.Decimal", "__C.NSDecimal"),
        ("FoundationEssentials.Calendar.Identifier", "Foundation.Calendar.Identifier"),
        ("Foundation.Measurement<Foundation.UnitLength>", "Foundation.Measurement<__C.NSUnitLength>"),
        ("App.FoundationEssentials.UUID", "App.FoundationEssentials.UUID"),
        ("FoundationEssentials", "FoundationEssentials"),
        (
            "(extension in FoundationEssentials):Swift.String.Encoding",
            "(extension in Foundation):Swift.String.Encoding"
        ),
    ])
    func bothSystemsSpellingsAreOneName(_ text: String, _ apple: String) throws {
        #expect(try #require(TypeName(text)).canonical.description == apple)
    }

    @Test func namesOfFoundationHereBecomeApples() throws {
        for (type, apple) in [
            (UUID.self, "Foundation.UUID"), (Decimal.self, "__C.NSDecimal"), (CGRect.self, "__C.CGRect"),
            (CGFloat.self, "CoreGraphics.CGFloat"), (PersonNameComponents.self, "Foundation.PersonNameComponents"),
            ([URL?].self, "Swift.Array<Swift.Optional<Foundation.URL>>"), (NSRange.self, "__C._NSRange"),
            (Measurement<UnitLength>.self, "Foundation.Measurement<__C.NSUnitLength>"),
        ] as [(Any.Type, String)] {
            #expect(try #require(TypeName(String(reflecting: type))).canonical.description == apple)
        }
    }

    @Test func aRenameReplacesWholeComponentsEverywhere() throws {
        let name = try #require(TypeName("OldKit.Maps.Gen<OldKit.Maps.Spot, OldKitten.Maps>.Nested"))
        let module = name.replacing(["OldKit"], by: ["NewKit"])
        #expect(module.description == "NewKit.Maps.Gen<NewKit.Maps.Spot, OldKitten.Maps>.Nested")
        let enclosing = name.replacing(["OldKit", "Maps"], by: ["NewKit", "Charts"])
        #expect(enclosing.description == "NewKit.Charts.Gen<NewKit.Charts.Spot, OldKitten.Maps>.Nested")
        #expect(name.replacing(["Maps"], by: ["X"]) == name)
        #expect(name.replacing([], by: ["X"]) == name)
    }

    @Test func deepNestingIsRefusedWithoutExhaustingTheStack() {
        let deep = String(repeating: "A<", count: 100_000)
        #expect(TypeName(deep) == nil)
        let legal = String(repeating: "A.B<", count: 32) + "C.D" + String(repeating: ">", count: 32)
        #expect(TypeName(legal) != nil)
    }
}
