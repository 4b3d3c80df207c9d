// SPDX-License-Identifier: Apache-2.0
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
        #expect(first == second)
        #expect(first.isPrivate)
        #expect(first.module == "App")
    }

    @Test func deepNestingIsRefusedWithoutExhaustingTheStack() {
        let deep = String(repeating: "A<", count: 100_000)
        #expect(TypeName(deep) == nil)
        let legal = String(repeating: "A.B<", count: 32) + "C.D" + String(repeating: ">", count: 32)
        #expect(TypeName(legal) != nil)
    }
}
