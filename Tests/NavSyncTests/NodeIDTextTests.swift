// SPDX-License-Identifier: Apache-2.0
import NavSync
import Testing

@Suite struct NodeIDTextTests {
    private let refusal = SyncError(code: .invalidNodeID, reason: "")
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")

    private static let ids: [NodeID] = {
        var generator = SystemRandomNumberGenerator()
        return [NodeID(high: 0, low: 0), NodeID(high: .max, low: .max), NodeID(high: 1, low: 0)]
            + (0..<20).map { _ in NodeID(high: generator.next(), low: generator.next()) }
    }()

    @Test(arguments: ids) func readsWhatItWrote(_ id: NodeID) throws {
        #expect(try NodeID(text: id.text) == id)
        #expect(try NodeID(text: id.text.uppercased()) == id)
        #expect(try NodeID(text: id.text.filter { $0 != "-" }) == id)
    }

    @Test func hasTheDocumentedShape() {
        #expect(NodeID(high: 0, low: 0).text == "aaaaaaa-aaaaaaa-aaaaaaa-aaaaaaa")
        #expect(NodeID(high: .max, low: .max).text.hasPrefix("7777777-7777777-7777777-77774"))
        #expect(NodeID(high: .max, low: .max).shortText == "7777777")
    }

    @Test(arguments: ids) func catchesAnySingleWrongCharacter(_ id: NodeID) {
        let text = Array(id.text)
        for index in text.indices where text[index] != "-" {
            for character in Self.alphabet where character != text[index] {
                var wrong = text
                wrong[index] = character
                #expect(throws: refusal, "\(String(wrong))") { try NodeID(text: String(wrong)) }
            }
        }
    }

    @Test(arguments: ids) func catchesAnySwapOfTwoCharacters(_ id: NodeID) {
        let text = Array(id.text.filter { $0 != "-" })
        for left in text.indices {
            for right in text.indices where right > left && text[left] != text[right] {
                var wrong = text
                wrong.swapAt(left, right)
                #expect(throws: refusal, "\(String(wrong))") { try NodeID(text: String(wrong)) }
            }
        }
    }

    @Test func catchesAnyTwoWrongCharacters() {
        let text = Array(Self.ids[5].text.filter { $0 != "-" })
        for left in text.indices {
            for right in text.indices where right > left {
                var wrong = text
                wrong[left] = text[left] == "a" ? "b" : "a"
                wrong[right] = text[right] == "q" ? "r" : "q"
                #expect(throws: refusal, "\(String(wrong))") { try NodeID(text: String(wrong)) }
            }
        }
    }

    @Test(arguments: [
        "", "a", "aaaaaaa-aaaaaaa-aaaaaaa-aaaaaa", "aaaaaaa-aaaaaaa-aaaaaaa-aaaaaaaa", "aaaaaaa aaaaaaa", "é",
    ])
    func refusesAnotherLengthOrCharacter(_ text: String) {
        #expect(throws: refusal) { try NodeID(text: text) }
    }

    @Test func isMadeOfSixteenBytes() {
        #expect(NodeID(bytes: [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2]) == NodeID(high: 1, low: 2))
        #expect(NodeID(bytes: [UInt8](repeating: 0, count: 15)) == nil)
        #expect(NodeID(bytes: [UInt8](repeating: 0, count: 17)) == nil)
    }
}
