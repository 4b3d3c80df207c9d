// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

@Suite struct SwiftUIJSONTests {
    @Test(arguments: SampleFile.paths + SampleFile.oddPaths)
    func aSampleRoundTripsValueForValue(_ name: String) throws {
        let original = try SampleFile.bytes(name)
        let elements = try SwiftUIJSON.decode(original)
        let written = try ReferenceJSON.strings(SwiftUIJSON.encode(elements))
        let reference = try ReferenceJSON.strings(original)
        #expect(written.count == reference.count)
        #expect(elements.count == reference.count / 2)
        for index in stride(from: 0, to: reference.count, by: 2) {
            #expect(written[index] == reference[index])
            let (item, expected) = (written[index + 1], reference[index + 1])
            #expect(try item == expected || ReferenceJSON.areEqual(item, expected), "\(item) for \(expected)")
        }
        #expect(try SwiftUIJSON.decode(SwiftUIJSON.encode(elements)) == elements)
    }

    @Test func theFolderHasNoSampleWithoutATest() throws {
        let others = ["null", "odd-count", "not-strings", "variant-mangled", "variant-flowpath", "variant-base64"]
        #expect(try Set(SampleFile.allNames()) == Set(SampleFile.paths + SampleFile.oddPaths + others))
    }

    @Test func theLastPairIsTheRootMostElement() throws {
        let elements = try SwiftUIJSON.decode(
            Array(#"["Swift.Double","3.5","Swift.String","\"two\"","Swift.Int","7"]"#.utf8))
        #expect(elements.map(\.tag) == ["Swift.Int", "Swift.String", "Swift.Double"])
        #expect(elements.map(\.value) == [.json(.number(JSONNumber(7))), .json(.string("two")), try number("3.5")])
    }

    @Test func equalJSONGivesEqualElements() throws {
        let texts = [
            #"["A.B","{\"b\":1,\"a\":[1.0,2e2]}"]"#,
            "[ \"A\\u002eB\",\n\"{ \\\"a\\\" : [1e0, 200.0], \\\"b\\\" : 10e-1, \\\"a\\\" : 9 }\"\t]",
        ]
        let paths = try texts.map { try SwiftUIJSON.decode(Array($0.utf8)) }
        #expect(paths[0] == paths[1])
        #expect(try SwiftUIJSON.encode(paths[0]) == SwiftUIJSON.encode(paths[1]))
    }

    @Test func aBrokenItemIsKeptAndMarked() throws {
        let elements = try SwiftUIJSON.decode(SampleFile.bytes("broken-item"))
        #expect(elements.map(\.value)[1] == .verbatim(#"{"id":"#))
        #expect(elements.map { $0.oddity != nil } == [false, true, false])
        #expect("\(try #require(elements[1].oddity))".contains("at byte 6"))
    }

    @Test func aPrivateTypeIsKeptAndMarked() throws {
        let elements = try SwiftUIJSON.decode(SampleFile.bytes("private-type"))
        #expect(elements.map(\.oddity) == [nil, .privateType])
        #expect(elements[1].tag == "App.(unknown context at $10685e7ec).Secret")
    }

    @Test func craftedTagsAreKeptAndMarked() throws {
        let elements = try SwiftUIJSON.decode(SampleFile.bytes("crafted-tags"))
        #expect(elements.map(\.tag) == ["Swift.Int", "$s", "SiSg"])
        #expect(elements.map(\.oddity) == [nil, .notATypeName, .notATypeName])
    }

    @Test(arguments: [
        ("null", NavWireError.Code.nullPath), ("odd-count", .oddCount), ("not-strings", .notAPath),
        ("variant-mangled", .unsupportedVariant), ("variant-flowpath", .unsupportedVariant),
        ("variant-base64", .unsupportedVariant),
    ])
    func aFaultIsRefusedByItsCode(_ name: String, _ code: NavWireError.Code) throws {
        #expect(throws: NavWireError(code: code, reason: "")) { try SwiftUIJSON.decode(SampleFile.bytes(name)) }
    }

    @Test(arguments: [
        ("variant-mangled", "swift-navigation"), ("variant-flowpath", "FlowStacks"),
        ("variant-base64", "swift-cross-ui"),
    ])
    func aVariantIsRefusedByName(_ name: String, _ library: String) throws {
        let error = try #require(throws: NavWireError.self) { try SwiftUIJSON.decode(SampleFile.bytes(name)) }
        #expect(error.reason.contains(library))
        #expect(error.reason.contains("--from"))
    }

    @Test(arguments: ["{}", "1", "true", "\"x\"", "[null]", "[[\"A\",\"1\"]]", "[{\"id\":1}]", "[{}]"])
    func jsonThatIsNoPathIsRefused(_ text: String) throws {
        #expect(throws: NavWireError(code: .notAPath, reason: "")) { try SwiftUIJSON.decode(Array(text.utf8)) }
    }

    @Test func anOddCountNamesTheIndex() throws {
        let error = try #require(throws: NavWireError.self) { try SwiftUIJSON.decode(SampleFile.bytes("odd-count")) }
        #expect(error.reason.contains("odd") && error.reason.contains("index 1"))
    }

    @Test func bothLevelsAreStrict() throws {
        #expect(throws: NavWireError(code: .notJSON, reason: "")) {
            try SwiftUIJSON.decode(Array(#"["Swift.Int","1",]"#.utf8))
        }
        for item in ["[1,]", "01", "", " ", "'x'", "NaN", "1 2", "é"] {
            let text = try Coders.text(["Swift.Int", item])
            let elements = try SwiftUIJSON.decode(Array(text.utf8))
            #expect(elements.first?.value == .verbatim(item))
            #expect(try ReferenceJSON.strings(SwiftUIJSON.encode(elements)) == ["Swift.Int", item])
        }
    }

    @Test func linuxNamesAreReadAndWrittenAsApples() throws {
        let tags = ["FoundationEssentials.UUID", "Swift.Array<FoundationEssentials.Date>", "Foundation.Decimal", "A.B"]
        let json = try SwiftUIJSON.encode(tags.map { PathElement(tag: $0, value: .json(.null)) })
        let written = try SwiftUIJSON.decode(json).map(\.tag)
        #expect(written == ["Foundation.UUID", "Swift.Array<Foundation.Date>", "Foundation.Decimal", "A.B"])
        #expect(try SwiftUIJSON.decode(Array(#"["FoundationEssentials.URL","1"]"#.utf8)).first?.tag == "Foundation.URL")
        let path = try decodedPath(#"["FoundationEssentials.UUID","null"]"#)
        #expect(try Coders.text(path.codable) == #"["Foundation.UUID","null"]"#)
    }

    @Test func aControlCharacterInATagIsRefused() throws {
        for byte in [0x00, 0x01, 0x1F, 0x7F] {
            let hexadecimal = String(byte, radix: 16)
            let text = "[\"A\\u00\(byte < 16 ? "0" : "")\(hexadecimal)B\",\"1\"]"
            #expect(throws: NavWireError(code: .invalidTag, reason: "")) { try SwiftUIJSON.decode(Array(text.utf8)) }
        }
    }

    @Test func limitsAreRefusedByWhatWasFoundAndAllowed() throws {
        var limits = NavWireLimits()
        limits.maximumElementCount = 2
        limits.maximumElementByteCount = 8
        limits.maximumDepth = 3
        limits.maximumTagByteCount = 3
        func reason(_ text: String, _ code: NavWireError.Code) throws -> String {
            let error = try #require(throws: NavWireError.self) {
                try SwiftUIJSON.decode(Array(text.utf8), limits: limits)
            }
            #expect(error.code == code)
            return error.reason
        }
        #expect(try reason(#"["A","1","A","1","A","1"]"#, .tooLarge).contains("3 elements, 2 are allowed"))
        #expect(try reason(#"["A","1","B","123456789"]"#, .tooLarge).contains("element 0 (B): an item of 9 bytes"))
        #expect(try reason(#"["A","[[[[1]]]]"]"#, .tooLarge).contains("item of 9"))
        #expect(try reason(#"["A","[[[["]"#, .tooDeep).contains("element 0"))
        #expect(try reason(#"["ABCD","1"]"#, .tooLarge).contains("4 bytes, 3 are allowed"))
        #expect(try SwiftUIJSON.decode(Array(#"["A","[[[1]]]"]"#.utf8), limits: limits).count == 1)
        limits.maximumValueCount = 3
        #expect(try reason(#"["A","[1,1,1]"]"#, .tooLarge).contains("more than 3 values"))
        limits.maximumJSONByteCount = 10
        #expect(try reason(#"["A","[[1]]"]"#, .tooLarge).contains("JSON text of 13 bytes"))
    }

    @Test func aPathIsNotWrittenBeyondTheLimit() throws {
        let path = try SwiftUIJSON.decode(Array(#"["A","1","B","[1,2,{\"a\":\"\\n\"}]"]"#.utf8))
        let writers: [(NavWireLimits) throws -> [UInt8]] = [
            { try SwiftUIJSON.encode(path, limits: $0) }, { try PathJSON.encodeSwiftCrossUI(path, limits: $0) },
        ]
        for write in writers {
            let whole = try write(.default)
            var limits = NavWireLimits.default
            limits.maximumJSONByteCount = whole.count
            #expect(try write(limits) == whole)
            for limit in -1..<whole.count {
                limits.maximumJSONByteCount = limit
                let error = #expect(throws: NavWireError.self) { try write(limits) }
                #expect(error?.code == .tooLarge)
                #expect(error?.reason.contains("\(limit) are allowed") == true)
            }
        }
    }

    /// Each use of a string is a byte of an envelope, before compression.
    @Test(arguments: [["Si"], ["1a", "2fa"], ["Si", "4Shop5RouteV"]]) func whatWouldBeTakenForAnotherFormIsNotWritten(
        _ tags: [String]
    ) throws {
        let elements = try tags.map { try PathElement(checkingTag: $0, item: "1") }
        #expect(throws: NavWireError(code: .notRepresentable, reason: "")) { try SwiftUIJSON.encode(elements) }
        let mixed = try elements + [PathElement(checkingTag: "Shop.Route", item: "2")]
        #expect(try SwiftUIJSON.decode(SwiftUIJSON.encode(mixed)) == mixed)
    }

    @Test func aSmallEnvelopeDoesNotBecomeHugeJSON() throws {
        let texts = [String](repeating: String(repeating: "\u{1}", count: 64), count: 200_000)
        for value in [try ElementCoder.encode(texts), .json(.array(texts.map(JSONValue.string)))] {
            let envelope = try PathEnvelope.encode([PathElement(tag: "A", value: value)])
            #expect(envelope.count < 200)
            let path = try PathEnvelope.decode(envelope)
            let error = #expect(throws: NavWireError.self) { try SwiftUIJSON.encode(path) }
            #expect(error?.code == .tooLarge)
            #expect(error?.reason.hasPrefix("element 0 (A): an item of 41943") == true)
            #expect(throws: EncodingError.self) {
                try JSONEncoder().encode(NavigationPath.CodableRepresentation(path))
            }
        }
        var writer = JSONWriter(limit: 1000)
        writer.write(.array(texts.map(JSONValue.string)))
        #expect(writer.isTooLarge && writer.bytes.count < 1010)
    }

    private func number(_ text: String) throws -> PathValue { try PathValue(item: text) }
}
