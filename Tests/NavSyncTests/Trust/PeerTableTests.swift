// SPDX-License-Identifier: Apache-2.0
import NavSync
import Testing

@Suite struct PeerTableTests {
    private let refusal = SyncError(code: .invalidPeerTable, reason: "")

    private static func peer(_ number: UInt64, name: String, rights: Rights) throws -> TrustedPeer {
        TrustedPeer(
            name: try PeerName(name), id: NodeID(high: number, low: 7),
            publicKey: (0..<32).map { UInt8($0) ^ UInt8(number) }, rights: rights,
            addresses: number == 1 ? ["tcp:10.0.0.1:7101", "tcp:[::1]:7101"] : [], tlsGeneration: 12,
            addedSeconds: 1_700_000_000)
    }

    private static func table() throws -> PeerTable {
        var table = PeerTable()
        let some = try PrefixSet(["shop/", " leading and trailing ", "日本"].map { Array($0.utf8) })
        try table.put(
            peer(1, name: "laptop", rights: Rights(read: some, write: .none, maximumStackCount: 5, maximumByteCount: 9))
        )
        try table.put(peer(2, name: "kiosk.2", rights: .all))
        try table.put(peer(3, name: "nobody", rights: .none))
        return table
    }

    @Test func readsWhatItWrote() throws {
        let table = try Self.table()
        #expect(try PeerTable(decoding: table.encoded) == table)
        #expect(try PeerTable(decoding: PeerTable().encoded) == PeerTable())
    }

    @Test func refusesAFileCutAnywhere() throws {
        let bytes = try Self.table().encoded
        for count in 0..<bytes.count {
            #expect(throws: refusal, "cut at \(count)") { try PeerTable(decoding: Array(bytes.prefix(count))) }
        }
    }

    @Test func refusesEveryFlippedBit() throws {
        let bytes = try Self.table().encoded
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1 << UInt8(index % 8)
            #expect(throws: refusal, "byte \(index)") { try PeerTable(decoding: changed) }
        }
    }

    /// The lines of a whole table without its checksum.
    private static func lines() throws -> [String] {
        String(decoding: try table().encoded, as: UTF8.self).split(separator: "\n").dropLast().map(String.init)
    }

    private static func seal(_ lines: [String]) -> [UInt8] {
        PeerTable.sealed(Array((lines.joined(separator: "\n") + "\n").utf8))
    }

    @Test(arguments: ["", "garbage", "read ", "name other", "peer x", "end", "# comment", " ", "maximum-bytes 1"])
    func oneLineThatDoesNotBelongRefusesTheWholeFile(_ line: String) throws {
        let lines = try Self.lines()
        for index in [0, 1, 3, 5, lines.count] {
            var changed = lines
            changed.insert(line, at: index)
            #expect(throws: refusal, "\(line) at \(index)") { try PeerTable(decoding: Self.seal(changed)) }
        }
        #expect((try? PeerTable(decoding: Self.seal(lines))) != nil)
    }

    @Test(arguments: [
        ["read-all", "read a"], ["read a", "read-all"], ["read b", "read a"], ["read a", "read ab"],
        ["read a\u{202E}"], ["maximum-stacks 05"], ["maximum-stacks -5"], ["maximum-stacks 99999999999999999999"],
        ["write a", "read a"], ["maximum-stacks 5", "maximum-stacks 5"],
    ])
    func refusesRightsThatAreNotExactlyWritten(_ rights: [String]) throws {
        let start = try Self.lines().prefix(6)
        let text = Array(start) + rights + ["end"]
        #expect(throws: refusal) { try PeerTable(decoding: Self.seal(text)) }
        #expect((try? PeerTable(decoding: Self.seal(Array(start) + ["read a", "end"]))) != nil)
    }

    @Test func randomDamageNeverTrapsAndWhatIsAcceptedIsCanonical() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SplitMix64(seed: seed)
        let whole = Array((try Self.lines().joined(separator: "\n") + "\n").utf8)
        for _ in 0..<3000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            let sealed = PeerTable.sealed(bytes)
            guard let table = try? PeerTable(decoding: sealed) else { continue }
            #expect(table.encoded == sealed, "seed \(seed)")
        }
    }

    @Test func findsByNameAndByID() throws {
        let table = try Self.table()
        #expect(table.peer(named: "laptop")?.id.high == 1)
        #expect(table.peer(named: NodeID(high: 2, low: 7).text)?.name.text == "kiosk.2")
        #expect(table.peer(named: "absent") == nil)
    }

    @Test func namesAreUnique() throws {
        var table = try Self.table()
        let other = try Self.peer(9, name: "laptop", rights: .none)
        #expect(throws: SyncError(code: .invalidPeerName, reason: "")) { try table.put(other) }
        #expect(table.freeName(like: try PeerName("laptop")).text == "laptop-2")
        #expect(table.freeName(like: try PeerName("new")).text == "new")
    }

    @Test func aRemovedPeerIsGone() throws {
        var table = try Self.table()
        #expect(table.remove(NodeID(high: 2, low: 7))?.name.text == "kiosk.2")
        #expect(table[NodeID(high: 2, low: 7)] == nil)
        #expect(table.remove(NodeID(high: 2, low: 7)) == nil)
    }

    @Test(arguments: ["", "A", "-a", ".a", "a b", "a\u{1B}", "é", String(repeating: "a", count: 64)])
    func refusesAPeerName(_ text: String) {
        #expect(throws: SyncError(code: .invalidPeerName, reason: "")) { try PeerName(text) }
    }

    @Test func makesANameOfWhatAPeerSuggests() {
        #expect(PeerName(suggested: "Anna's MacBook\u{1B}[31m")?.text == "annasmacbook31m")
        #expect(PeerName(suggested: "日本") == nil)
        #expect(PeerName(suggested: String(repeating: "x", count: 500))?.text.count == 63)
        #expect(PeerName(suggested: NodeID(high: 1, low: 2).text) == nil)
    }
}

@Suite struct PrefixSetTests {
    private func set(_ prefixes: String...) throws -> PrefixSet { try PrefixSet(prefixes.map { Array($0.utf8) }) }

    @Test func emptyMeansNone() throws {
        #expect(!PrefixSet.none.contains(try StackName("a")))
        #expect(try set() == .none)
        #expect(PrefixSet.none.isEmpty)
        #expect(throws: SyncError(code: .invalidName, reason: "")) { try set("") }
    }

    @Test func comparesBytes() throws {
        #expect(try set("shop/").contains(try StackName("shop/cart")))
        #expect(try !set("shop/").contains(try StackName("shop")))
        #expect(try !set("a\u{302}").contains(try StackName("\u{E2}")))
        #expect(PrefixSet.all.contains(try StackName("x")))
    }

    @Test func oneSetHasOneForm() throws {
        #expect(try set("b", "a/x", "a/", "a/", "c") == set("c", "a/", "b"))
        #expect(try set("a", "ab", "a/b").prefixes.count == 1)
    }
}
