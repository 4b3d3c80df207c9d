// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavWire
import Testing

@Suite struct PathJSONTests {
    private func read(_ text: String, _ form: PathForm? = nil, plainTag: String? = nil) throws -> PathJSON.Import {
        try PathJSON.decode(Array(text.utf8), form: form, plainTag: plainTag)
    }

    private func pairs(_ elements: [PathElement]) throws -> [String] {
        try ReferenceJSON.strings(SwiftUIJSON.encode(elements))
    }

    @Test(arguments: SampleFile.paths + SampleFile.oddPaths)
    func swiftUIsOwnFormIsFoundByItsContent(_ name: String) throws {
        let bytes = try SampleFile.bytes(name)
        let result = try PathJSON.decode(bytes)
        #expect(result.form == .swiftUI)
        #expect(try result.elements == SwiftUIJSON.decode(bytes))
    }

    @Test func mangledNamesBecomeReadable() throws {
        let result = try PathJSON.decode(SampleFile.bytes("variant-mangled"))
        #expect(result.form == .backport && result.notes.isEmpty)
        #expect(result.elements.map(\.tag) == ["Swift.String", "Swift.Int", "Swift.Bool", "nav_codable.User"])
        #expect(try result.elements.last?.value == PathValue(item: #"{"name":"Blob","id":42}"#))
        #expect(result.elements.allSatisfy { $0.oddity == nil })
        let foundation = try read(#"["Say20FoundationEssentials4UUIDVG","[]","10Foundation3URLV","\"x:\""]"#)
        #expect(foundation.elements.map(\.tag) == ["Foundation.URL", "Swift.Array<Foundation.UUID>"])
    }

    @Test func aPrivateMangledNameIsKeptAndMarked() throws {
        let tag = "21UIKitCaseStudiesTests014NavigationPathD0C10$10685e7e0yXZ10$10685e7ecyXZ4UserV"
        let result = try read(#"["Sb","true","SS","\"Blob\"","\#(tag)","{}","Si","1"]"#)
        #expect(result.elements.count == 4)
        #expect(result.elements[1].oddity == .privateType)
        #expect(
            result.elements[1].tag
                == "UIKitCaseStudiesTests.NavigationPathTests.(unknown context at $10685e7e0).(unknown context at $10685e7ec).User"
        )
    }

    @Test func anUnreadableMangledNameIsKept() throws {
        let result = try read(#"["9zz","1","Si","2"]"#)
        #expect(result.form == .backport)
        #expect(result.elements.map(\.tag) == ["Swift.Int", "9zz"])
        #expect(result.elements.map { $0.oddity == nil } == [true, false])
    }

    @Test func flowPathsStylesAreNotedWhenTheyAreLost() throws {
        let result = try PathJSON.decode(SampleFile.bytes("variant-flowpath"))
        #expect(result.form == .flowPath)
        #expect(try pairs(result.elements) == ["Swift.String", "\"b\"", "Swift.Int", "1"])
        #expect(result.notes == ["element 1 was presented as sheet, which a path does not hold"])
        #expect(throws: NavWireError(code: .oddCount, reason: "")) { try read(#"[{"push":{}},"Si"]"#, .flowPath) }
        #expect(throws: NavWireError(code: .notAPath, reason: "")) { try read(#"[{"push":{}},"Si",1]"#, .flowPath) }
    }

    @Test func swiftCrossUIsFormIsReadRootFirstAndWritten() throws {
        let result = try PathJSON.decode(SampleFile.bytes("variant-base64"))
        #expect(result.form == .swiftCrossUI)
        #expect(try pairs(result.elements) == ["App.S", #"{"a":1}"#, "Swift.Int", "1"])
        let written = try PathJSON.encodeSwiftCrossUI(result.elements)
        #expect(try written == SampleFile.bytes("variant-base64").filter { $0 != 0x0A })
        let uuid = [PathElement(tag: "Foundation.UUID", value: .json(.null))]
        let text = String(decoding: try PathJSON.encodeSwiftCrossUI(uuid), as: UTF8.self)
        #expect(text.contains("\"\(String(reflecting: UUID.self))\""))
        #expect(try PathJSON.decode(Array(text.utf8)).elements == uuid)
    }

    @Test func whatIsNoBase64IsKept() throws {
        let result = try read(#"[{"type":"App.S","value":"*"},{"type":"App.S","value":"/w=="}]"#)
        #expect(result.elements.map(\.value) == [.verbatim("*"), .verbatim("/w==")])
    }

    @Test func aPlainArrayNeedsAType() throws {
        let text = #"[{"item":{"_0":1}},{"item":{"_0":2}}]"#
        #expect(throws: NavWireError(code: .notAPath, reason: "")) { try read(text) }
        #expect(throws: NavWireError(code: .notAPath, reason: "")) { try read(text, .plain) }
        let result = try read(text, .plain, plainTag: "App.Path.State")
        #expect(result.elements.map(\.tag) == ["App.Path.State", "App.Path.State"])
        #expect(try result.elements.first?.value == PathValue(item: #"{"item":{"_0":1}}"#))
    }

    @Test func aFormThatDoesNotFitIsRefused() {
        for form in [PathForm.swiftUI, .backport, .flowPath, .swiftCrossUI] {
            #expect(throws: NavWireError.self) { try read("[1,2,3]", form) }
        }
        #expect(throws: NavWireError(code: .nullPath, reason: "")) { try read("null", .flowPath) }
    }

    @Test func aModuleIsRenamedEverywhereInATag() throws {
        let element = PathElement(tag: "Swift.Array<Shop.Cart.Item>", value: .json(.null))
        #expect(element.renamingModule("Shop", to: "ShopPhone").tag == "Swift.Array<ShopPhone.Cart.Item>")
        #expect(element.renamingModule("Cart", to: "X") == element)
        let secret = PathElement(tag: "Shop.(unknown context at $1f).Secret", value: .json(.null))
        #expect(secret.renamingModule("Shop", to: "S").tag == "S.(unknown context at $1f).Secret")
    }
}
