// SPDX-License-Identifier: Apache-2.0
import NavSync
import Testing

@Suite struct GrantsTests {
    private func set(_ prefixes: String...) throws -> PrefixSet { try PrefixSet(prefixes.map { Array($0.utf8) }) }

    @Test func everyChangeOfARightChangesItsDigest() throws {
        let some = Rights(read: try set("a/"), write: try set("b/"))
        let changed = [
            Rights(read: try set("a/", "c"), write: try set("b/")), Rights(read: try set("a"), write: try set("b/")),
            Rights(read: .all, write: try set("b/")), Rights(read: .none, write: try set("b/")),
            Rights(read: try set("a/"), write: .all),
            Rights(read: try set("a/"), write: try set("b/"), maximumStackCount: 1),
            Rights(read: try set("a/"), write: try set("b/"), maximumByteCount: 1),
        ]
        for rights in changed { #expect(Grants(rights) != Grants(some)) }
        #expect(Grants(some).read == Grants(Rights(read: try set("a/"), write: .none)).read)
    }

    @Test func aScopeIsOfOneDirection() throws {
        let (a, b) = (Grants(.all), Grants(Rights(read: try set("a"), write: try set("b"))))
        #expect(Scope(sender: a, receiver: b) != Scope(sender: b, receiver: a))
        // What a node lets the other write says nothing about what it sends itself.
        let other = Grants(Rights(read: .all, write: .none))
        #expect(Scope(sender: a, receiver: b) == Scope(sender: other, receiver: b))
    }

    @Test func digestsAreTheSameInEveryRelease() {
        #expect(Grants(.all).read == 0xAF63_BC4C_8601_B62C)
        #expect(Scope(sender: Grants(.all), receiver: Grants(.all)).rawValue != 0)
    }

    @Test func travelInHello() throws {
        var hello = Hello.client(software: "x")
        hello.grants = Grants(read: 1, write: .max)
        var payload: [UInt8] = []
        hello.writePayload(to: &payload)
        var reader = ByteReader(payload)
        #expect(try Hello(reading: &reader) == hello)
    }

    @Test func manageReadsWhatItWrote() throws {
        let manage = Manage(
            request: RequestID(rawValue: 7), verb: "peer.list", arguments: [.init(key: "name", value: "kiosk")])
        var payload: [UInt8] = []
        manage.writePayload(to: &payload)
        var reader = ByteReader(payload)
        #expect(try Manage(reading: &reader) == manage)
    }
}
