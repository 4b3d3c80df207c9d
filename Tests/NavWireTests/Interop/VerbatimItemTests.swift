// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import NavWire

/// An item is kept verbatim exactly when JSON import does not take it, so that no item has two payloads.
@Suite struct VerbatimItemTests {
    static let seed = UInt64.random(in: .min ... .max)

    private func isImportable(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { unsafe JSONCheck.isImportable(UnsafeRawBufferPointer($0)) }
    }

    private func isTakenByTheScanner(_ text: String) -> Bool {
        (try? JSONScanner.value(of: Array(text.utf8))) != nil
    }

    @Test func theCheckTakesWhatTheScannerTakes() {
        let levels = String(repeating: "[", count: 64)
        let closed = String(repeating: "]", count: 64)
        let zeros = String(repeating: "0", count: 999_999)
        for text in [
            "7", " -0.0e-5\n", "01", "-", "1.", ".5", "1e", "1e+", "+1", "1e1000000", "1e1000001", "10e1000000",
            "0e99999999999999999999",
            "1e-99999999999999999999", "0.\(zeros)1", "0.\(zeros)01", "1\(zeros)0", "1\(zeros)00", "[]", "[1,]", "[,1]",
            "[1 2]", "[1}", "{]",
            "{}", #"{"a":1}"#, #"{"a":1,}"#, #"{"a"}"#, "{1:2}", #"{"a":}"#, #"{"a":1,"a":2}"#, levels + closed,
            levels + "[]" + closed,
            levels + "1" + closed, levels + closed + "]", "", " ", "null", "nul", "nulll", "true false", #""a"#,
            #""\ud83d\ude00""#,
            #""\ud83d""#, #""\ude00""#, #""\ud83dx""#, #""\ud83d\u0041""#, #""\u00zz""#, #""\x""#, "\"\u{1F}\"",
            "\"\u{7F}\"", "\u{FEFF}1",
            "\u{0}1", "1\u{0}", "\u{A0}1", "'a'", "é", "// 1", "\u{C}1",
        ] {
            #expect(isImportable(text) == isTakenByTheScanner(text), "\(text.prefix(40))")
        }
        #expect(isImportable("[" + String(repeating: "1,", count: 1 << 18 - 2) + "1]"))
        #expect(!isImportable("[" + String(repeating: "1,", count: 1 << 18 - 1) + "1]"))
    }

    @Test func theCheckTakesWhatTheScannerTakesOfDamagedTexts() {
        var random = RandomContent(seed: Self.seed)
        var counts = (taken: 0, refused: 0)
        for round in 0..<20_000 {
            var text = JSONWriter.bytes(of: random.json())
            for _ in 0..<random.below(4) {
                let place = random.below(text.count)
                switch random.below(3) {
                case 0: text[place] = random.pick(Array(#"[]{},:"\0123456789.eE+-tfn ud8c"#.utf8))
                case 1: text.remove(at: place)
                default: text.insert(random.pick(Array(#"[]{},:"\019.e-"#.utf8)), at: place)
                }
                if text.isEmpty { break }
            }
            guard let text = String(validating: text, as: UTF8.self) else { continue }
            let isTaken = isTakenByTheScanner(text)
            #expect(isImportable(text) == isTaken, "seed \(Self.seed), round \(round): \(text)")
            if isTaken { counts.taken += 1 } else { counts.refused += 1 }
        }
        #expect(counts.taken > 1_000 && counts.refused > 1_000, "\(counts)")
    }

    @Test func whatIsJSONIsWrittenAsWhatItSays() throws {
        let given = [PathElement(tag: "A.B", value: .verbatim(#"{"b":1,"a":[7]}"#))]
        let read = try PathEnvelope.decode(PathEnvelope.encode(given))
        #expect(read == [PathElement(tag: "A.B", value: try PathValue(item: #"{"a":[7],"b":1}"#))])
        for text in ["{", "", "7 7", String(repeating: "[", count: 65) + String(repeating: "]", count: 65)] {
            let kept = [PathElement(tag: "A.B", value: .verbatim(text))]
            #expect(try PathEnvelope.decode(PathEnvelope.encode(kept)) == kept)
        }
    }

    @Test func aTagWithAControlCharacterIsNeitherWrittenNorRead() throws {
        for scalar: Unicode.Scalar in ["\u{0}", "\u{1}", "\u{1F}", "\u{7F}"] {
            for tag in ["\(scalar)", "A\(scalar)B", "Shop.Product\(scalar)", "Shop.Prod\(scalar)uct.Item"] {
                #expect(throws: NavWireError(code: .invalidTag, reason: "")) {
                    try PathEnvelope.encode([PathElement(tag: tag, value: .json(.null))])
                }
            }
        }
        for tag in ["", " ", "\u{80}\u{9F}", "~", "é\u{202E}", "Ünïcode.Täg", "SiSg", "$s"] {
            let path = [PathElement(tag: tag, value: .json(.null))]
            #expect(try PathEnvelope.decode(PathEnvelope.encode(path)) == path)
        }
    }

    @Test func controlCharactersAreFoundWhereverTheyAre() {
        for byte in UInt8.min ... .max {
            for count in 1..<20 {
                for place in 0..<count {
                    var bytes = [UInt8](repeating: 0x80, count: count)
                    bytes[place] = byte
                    let isFound = unsafe bytes.withUnsafeBytes { unsafe ControlCharacters.isIn($0) }
                    #expect(isFound == (byte < 0x20 || byte == 0x7F))
                }
            }
        }
    }
}
