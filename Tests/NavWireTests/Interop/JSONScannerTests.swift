// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

@Suite struct JSONScannerTests {
    private func value(_ text: String) throws -> JSONValue { try value(Array(text.utf8)) }

    private func value(_ bytes: [UInt8]) throws -> JSONValue {
        try JSONScanner.value(of: bytes)
    }

    @Test(arguments: [
        ("[1,]", 3), ("[,1]", 1), ("[1 2]", 3), ("{\"a\":1,}", 7), ("{a:1}", 1), ("{\"a\" 1}", 5), ("01", 0), ("-", 1),
        ("1.", 2), (".5", 0), ("1e", 2), ("+1", 0), ("0x1", 1), ("NaN", 0), ("tru", 0), ("nulll", 4), ("", 0), (" ", 1),
        ("\"abc", 0), ("\"\\x\"", 1), ("\"\\u12g4\"", 5), ("\"\\ud800\"", 1), ("\"\\udc00\"", 1),
        ("\"\\ud800\\u0041\"", 1),
        ("\"\u{1}\"", 1), ("\"\n\"", 1), ("1 1", 2), ("[1]]", 3), ("// c", 0), ("'a'", 0), ("1e1000001", 0),
        ("1e99999999999999999999999", 0), ("1e-99999999999999999999999", 0), ("\u{FEFF}1", 0), ("[1", 2),
        ("{\"a\":", 5),
    ])
    func refusesWhatIsNotJSONAndSaysWhere(_ text: String, _ offset: Int) throws {
        let error = try #require(throws: NavWireError.self) { try value(text) }
        #expect(error.code == .notJSON)
        #expect(error.offset == offset, "\(error)")
    }

    @Test(
        arguments: [[0xFF], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xE2, 0x82]] as [[UInt8]])
    func refusesInvalidUTF8(_ bytes: [UInt8]) throws {
        let error = try #require(throws: NavWireError.self) { try value(bytes) }
        #expect(error.code == .notJSON)
        #expect(error.offset == (bytes[0] == 0x22 ? 1 : 0))
    }

    @Test func refusesUTF16ByName() throws {
        let error = try #require(throws: NavWireError.self) { try value(Array("[]".utf16).flatMap { [UInt8($0), 0] }) }
        #expect(error.reason.contains("UTF-16"))
    }

    @Test func nestingIsLimitedBeforeItIsEntered() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(throws: Never.self) { try value(nested(64)) }
        #expect(throws: NavWireError(code: .tooDeep, reason: "")) { try value(nested(65)) }
        #expect(throws: NavWireError(code: .tooDeep, reason: "")) { try value(String(repeating: "[", count: 100_000)) }
        #expect(throws: NavWireError(code: .tooDeep, reason: "")) {
            try value(String(repeating: "{\"a\":", count: 100_000))
        }
    }

    @Test func theDepthLimitFitsASmallStack() async throws {
        let text = String(repeating: "{\"a\":[", count: 32) + String(repeating: "]}", count: 32)
        let bytes = Array(text.utf8)
        let isEqual = try await Task.detached {
            let first = try JSONScanner.value(of: bytes)
            return first == (try JSONScanner.value(of: JSONWriter.bytes(of: first)))
        }.value
        #expect(isEqual)
    }

    @Test func numbersAreExactAndHaveOneForm() throws {
        for (texts, written) in [
            (["1", "1.0", "1e0", "10e-1", "0.1e+1", "1E0"], "1"), (["-0", "-0.0", "-0e9"], "-0"), (["0", "0.00"], "0"),
            (["18446744073709551615"], "18446744073709551615"),
            (["12345678901234567890.123456789012345678"], "12345678901234567890.123456789012345678"),
            (["129.9", "1299e-1"], "129.9"), (["1e2", "100"], "100"), (["1e300"], "1e+300"),
            (["0.000001"], "0.000001"), (["1.5e-7"], "1.5e-7"),
            (["-170141183460469231731687303715884105728"], "-170141183460469231731687303715884105728"),
            (["1e1000000"], "1e+1000000"), (["123e-1000000"], "1.23e-999998"),
        ] {
            let values = try texts.map(value)
            #expect(Set(values).count == 1)
            #expect(String(decoding: JSONWriter.bytes(of: values[0]), as: UTF8.self) == written)
            #expect(try value(written) == values[0])
        }
        #expect(try value("0") != value("-0"))
    }

    @Test func theFirstOfDuplicateKeysIsKept() throws {
        #expect(try value(#"{"b":1,"a":2,"b":3}"#) == value(#"{"a":2,"b":1}"#))
        // Keys that differ only in their normalisation are one key to JSONDecoder.
        let object = try #require(try value("{\"e\u{301}\":1,\"\u{E9}\":2}").objectValue)
        #expect(object.members.count == 1)
        #expect(object["\u{E9}"] == .number(JSONNumber(1)))
    }

    @Test func stringsAreReadAndWrittenAsFoundationDoes() throws {
        let strings = ["", "a/b", "\"\\\u{8}\u{C}\n\r\t\u{1}\u{1F}\u{7F}", "🎈 é e\u{301} 未読 \u{2028}\u{FFFF}\0"]
        for string in strings {
            let encoded = try JSONEncoder().encode([string])
            #expect(try value(Array(encoded)) == .array([.string(string)]))
            let written = JSONWriter.bytes(of: .array([.string(string)]))
            let decoded = try JSONDecoder().decode([String].self, from: Data(written))
            #expect(decoded.map { Array($0.utf8) } == [Array(string.utf8)])
        }
        #expect(try value(#""\ud83c\udf88\/\u00e9""#) == .string("🎈/é"))
        #expect(try value("\"e\u{301}\"") != value("\"\u{E9}\""))
    }

    @Test func everythingFoundationRefusesStrictlyIsRefusedAtEveryCut() throws {
        let text = #"{"a":[1.5e3,"x\u00e9\\",null,true],"b":{}}"#
        let bytes = Array(text.utf8)
        #expect(throws: Never.self) { try value(bytes) }
        for length in bytes.indices {
            #expect(throws: NavWireError(code: .notJSON, reason: "")) { try value(Array(bytes[..<length])) }
        }
    }
}
