// SPDX-License-Identifier: Apache-2.0
import NavSync
import Testing

@Suite struct StackNameTests {
    @Test(arguments: ["a", "shop/cart", "../x", "日本", "a\u{302}", String(repeating: "n", count: 512)])
    func keepsTheBytesOfAnAllowedName(_ text: String) throws {
        #expect(try StackName(text).bytes == Array(text.utf8))
    }

    @Test(arguments: ["", "a\0b", "a\nb", "\u{7F}", "\u{85}", "\u{202E}x", String(repeating: "n", count: 513)])
    func refusesAName(_ text: String) {
        #expect(throws: SyncError(code: .invalidName, reason: "")) { try StackName(text) }
    }

    @Test(arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82]] as [[UInt8]])
    func refusesInvalidUTF8(_ bytes: [UInt8]) {
        #expect(throws: SyncError(code: .invalidName, reason: "")) { try StackName(validating: bytes) }
    }

    @Test func twoSpellingsOfOneLetterAreTwoNames() throws {
        #expect(try StackName("a\u{302}") != StackName("\u{E2}"))
    }
}
