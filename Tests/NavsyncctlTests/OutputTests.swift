// SPDX-License-Identifier: Apache-2.0
import NavClient
import Testing

@testable import navsyncctl

@Suite struct DisplayTests {
    @Test(arguments: ["tcp:127.0.0.1:7321", "unix:", "/" + String(repeating: "x", count: 200)])
    func anAddressThatIsNoneIsAWrongCommandLine(_ address: String) {
        #expect {
            _ = try DaemonAddress(address)
        } throws: {
            ($0 as? NavClientError).map { CommandFailure($0).status == .usage } ?? false
        }
    }

    @Test func plainTextStaysAsItIs() {
        for text in ["shop/cart", "日本語", "a\u{302}", "emoji 🎈", ""] { #expect(Display.escaped(text) == text) }
    }

    @Test(arguments: [
        ("a\u{1B}[31mb", "a\\u{1B}[31mb"), ("a\nb", "a\\u{A}b"), ("\u{9B}x", "\\u{9B}x"),
        ("a\u{202E}b", "a\\u{202E}b"), ("\u{2066}", "\\u{2066}"), ("\u{200B}", "\\u{200B}"), ("\u{FEFF}", "\\u{FEFF}"),
    ])
    func whatCouldDisturbATerminalIsWrittenOut(_ text: String, _ shown: String) {
        #expect(Display.escaped(text) == shown)
    }

    @Test func aQuotedTextIsCutToALineOfReasonableLength() {
        #expect(Display.quoted(String(repeating: "x", count: 500)).count == 123)
    }
}

@Suite struct JSONTextTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func writesFieldsInTheirOrder() {
        let object = JSONText.object([("b", .number(.max)), ("a", .text("x")), ("c", .boolean(true)), ("d", .null)])
        #expect(text(object) == #"{"b":18446744073709551615,"a":"x","c":true,"d":null}"#)
        #expect(text(JSONText.array([object, []])).hasPrefix("[{"))
    }

    @Test(arguments: [
        ("\"\\", #"\"\\"#), ("\n\t", #"\n\t"#), ("\u{0}", #"\u0000"#), ("\u{202E}", #"\u202E"#),
        ("\u{E0001}", #"\uDB40\uDC01"#), ("日本", "日本"),
    ])
    func escapesWhatJSONOrATerminalCannotHold(_ value: String, _ written: String) {
        #expect(text(JSONText.object([("k", .text(value))])) == "{\"k\":\"\(written)\"}")
    }

    @Test func jsonForATerminalKeepsItsValue() {
        let json = Array("[\"a\u{202E}b\",\n\"日本\u{9B}\"]".utf8)
        #expect(text(JSONText.safeForTerminal(json)) == "[\"a\\u202Eb\",\n\"日本\\u009B\"]")
        #expect(JSONText.safeForTerminal(Array("[]".utf8)) == Array("[]".utf8))
    }
}

@Suite struct SuggestionTests {
    @Test func countsInsertionsDeletionsReplacementsAndSwaps() {
        let distance = { (a: String, b: String) in Suggestion.distance(Array(a.unicodeScalars), Array(b.unicodeScalars))
        }
        #expect(distance("list", "list") == 0)
        #expect(distance("lsit", "list") == 1)
        #expect(distance("lst", "list") == 1)
        #expect(distance("", "list") == 4)
        #expect(distance("kitten", "sitting") == 3)
    }

    @Test func saysNothingWhenNothingIsNear() {
        #expect(Suggestion.nearest(to: "xyzzy", among: ["push", "pull"]) == nil)
    }
}

@Suite struct StampTextTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_769_847_300_250, "2026-01-31T08:15:00.250Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"), ((1 << 48) - 1, "10889-08-02T05:31:50.655Z"),
        ] as [(UInt64, String)])
    func showsUniversalTime(_ milliseconds: UInt64, _ text: String) {
        #expect(StampText.time(milliseconds) == text)
    }
}

@Suite struct ExitStatusTests {
    @Test func theNumbersNeverChange() {
        #expect(ExitStatus.allCases.map(\.rawValue) == Array(0...9))
        #expect(ExitStatus.notFound.rawValue == 3)
        #expect(ExitStatus.unreachable.rawValue == 4)
        #expect(ExitStatus.badInput.rawValue == 5)
        #expect(ExitStatus.tooLarge.rawValue == 6)
        #expect(ExitStatus.refused.rawValue == 7)
        #expect(ExitStatus.deadlineExceeded.rawValue == 8)
        #expect(ExitStatus.staleBase.rawValue == 9)
    }
}
