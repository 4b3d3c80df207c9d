// SPDX-License-Identifier: Apache-2.0
import NavSync
import Testing

@Suite struct PairingLinkTests {
    private let refusal = SyncError(code: .invalidPairingLink, reason: "")
    private static let link = PairingLink(
        addresses: [.init(host: "192.168.1.5", port: 7101), .init(host: "fd00::1", port: 65535)],
        id: NodeID(high: 0x0123_4567_89AB_CDEF, low: 42), secret: (1...16).map { UInt8($0) },
        expiresSeconds: 1_800_000_000)

    @Test func readsWhatItWrote() throws {
        let text = Self.link.text
        #expect(text.hasPrefix("navsync://192.168.1.5:7101,fd00::1:65535/"))
        #expect(try PairingLink(text) == Self.link)
        #expect(try PairingLink("  \(text)\r\n") == Self.link)
    }

    @Test func needsNoQuotingInAShell() {
        #expect(Self.link.text.allSatisfy { $0.isLetter || $0.isNumber || ":/,.-%_".contains($0) })
    }

    @Test func refusesALinkCutAnywhere() {
        let text = Self.link.text
        // The last part is a plain number; a cut inside it only changes a hint.
        let decisive = text.count - "1800000000".count
        for count in 0..<decisive {
            #expect(throws: refusal, "\(text.prefix(count))") { try PairingLink(String(text.prefix(count))) }
        }
    }

    @Test func noSingleWrongCharacterGivesAnotherIDOrSecret() {
        let text = Array(Self.link.text)
        for index in text.indices {
            for character in "a7-/:,x " where character != text[index] {
                var wrong = text
                wrong[index] = character
                guard let link = try? PairingLink(String(wrong)) else { continue }
                #expect(link.id == Self.link.id && link.secret == Self.link.secret, "\(String(wrong))")
            }
        }
    }

    @Test(arguments: [
        "", "navsync://", "http://a:1/b/c/1", "navsync:////", "navsync://a/b/c/d", "navsync://:0/x/y/1",
        String(repeating: "n", count: 3000), "navsync://" + String(repeating: "a:1,", count: 9),
    ])
    func refusesWhatIsNoLink(_ text: String) {
        #expect(throws: refusal) { try PairingLink(text) }
    }

    @Test(arguments: ["a b:1", "a\u{1B}[2J:1", "a:0", "a:65536", "a:-1", ":1", "a:", "a", "日本:1", "a;b:1"])
    func refusesAnAddress(_ address: String) {
        let rest = Self.link.text.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }
        #expect(throws: refusal) { try PairingLink("navsync://\(address)\(rest)") }
        #expect((try? PairingLink("navsync://host:1\(rest)")) != nil)
    }

    @Test func randomDamageNeverTrapsAndNeverReadsDifferently() {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SplitMix64(seed: seed)
        let text = Array(Self.link.text.utf8)
        for _ in 0..<20_000 {
            var bytes = text
            for _ in 0..<Int.random(in: 1...6, using: &generator) where !bytes.isEmpty {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                default: bytes.insert(UInt8.random(in: 32...126, using: &generator), at: index)
                }
            }
            guard let link = try? PairingLink(String(decoding: bytes, as: UTF8.self)) else { continue }
            #expect((try? PairingLink(link.text)) == link, "seed \(seed)")
        }
    }
}

/// A small generator with a seed that can be printed and used again.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
