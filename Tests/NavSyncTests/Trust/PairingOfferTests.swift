// SPDX-License-Identifier: Apache-2.0
import NavSync
import Testing

@Suite struct PairingOfferTests {
    private func offer() -> PairingOffer { PairingOffer(secret: [1], id: 7, rights: .all, peerName: nil, at: 1000) }
    private let second: UInt64 = 1_000_000_000

    @Test func worksOnce() {
        var offer = offer()
        #expect(offer.attempt(isProven: true, at: 2000) == nil)
        #expect(offer.attempt(isProven: true, at: 3000) == .used)
        #expect(offer.isOver(at: 3000))
    }

    @Test func endsAfterTenMinutes() {
        var offer = offer()
        #expect(offer.refusal(at: 1000 + 600 * second - 1) == nil)
        #expect(offer.attempt(isProven: true, at: 1000 + 600 * second) == .expired)
        #expect(offer.isOver(at: 1000 + 600 * second))
    }

    @Test func endsAfterFiveFailuresEvenForTheRightSecret() {
        var offer = offer()
        for number in 0..<5 {
            #expect(offer.attempt(isProven: false, at: 2000 + UInt64(number) * second) == .wrongProof)
        }
        #expect(offer.attempt(isProven: true, at: 100 * second) == .tooManyFailures)
        #expect(offer.isOver(at: 100 * second))
    }

    @Test func aFailureKeepsTheNextAttemptOutForASecond() {
        var offer = offer()
        #expect(offer.attempt(isProven: false, at: 2000) == .wrongProof)
        #expect(offer.attempt(isProven: true, at: 2001) == .tooSoon)
        #expect(!offer.isOver(at: 2001))
        #expect(offer.attempt(isProven: true, at: 2000 + second) == nil)
    }

    @Test func keepsTheReasonThatEndedItFirst() {
        var replaced = offer()
        replaced.end(.replaced, at: 2000)
        #expect(replaced.attempt(isProven: true, at: 3000) == .replaced && replaced.isOver(at: 3000))
        replaced.end(.cancelled, at: 4000)
        #expect(replaced.refusal(at: 5000) == .replaced)
        var used = offer()
        #expect(used.attempt(isProven: true, at: 2000) == nil)
        used.end(.cancelled, at: 3000)
        #expect(used.refusal(at: 4000) == .used)
        var late = offer()
        late.end(.replaced, at: 1000 + 600 * second)
        #expect(late.refusal(at: 1000 + 600 * second) == .expired)
    }
}

@Suite struct CheckPhraseTests {
    @Test func hasOneWordForEachByteAndNoTwoLookAlike() {
        #expect(CheckPhrase.words.count == 256)
        #expect(Set(CheckPhrase.words.map { $0.prefix(4) }).count == 256)
        #expect(CheckPhrase.words == CheckPhrase.words.sorted())
    }

    @Test func showsSixWords() {
        #expect(CheckPhrase.text(for: [0, 1, 2, 3, 4, 255]) == "acorn actor adobe agent album window")
    }
}

@Suite struct PairingMessageTests {
    private let proof = (0..<32).map { UInt8($0) }

    @Test func readsWhatItWroteAndWaitsForTheRest() throws {
        for message in [
            PairingMessage.request(proof: proof, name: "laptop"), .accepted(proof: proof, name: ""),
            .refused(reason: "no"),
        ] {
            let bytes = message.encoded
            for count in 0..<bytes.count { #expect(try PairingMessage.decode(Array(bytes.prefix(count))) == nil) }
            #expect(try PairingMessage.decode(bytes) == message)
            #expect(throws: SyncError.self) { try PairingMessage.decode(bytes + [0]) }
        }
    }

    @Test func refusesALengthAloneAndTypesItDoesNotKnow() {
        #expect(throws: SyncError(code: .frameTooLarge, reason: "")) { try PairingMessage.decode([0xFF, 0xFF]) }
        #expect(throws: SyncError(code: .frameTooLarge, reason: "")) { try PairingMessage.decode([0, 0]) }
        #expect(throws: SyncError(code: .unknownMessage, reason: "")) { try PairingMessage.decode([0, 1, 9]) }
        #expect(throws: SyncError(code: .malformedMessage, reason: "")) { try PairingMessage.decode([0, 2, 1, 5]) }
    }

    @Test func cutsALongName() throws {
        let message = PairingMessage.request(proof: proof, name: String(repeating: "x", count: 5000))
        #expect(message.encoded.count <= PairingMessage.maximumByteCount + 2)
        #expect(try PairingMessage.decode(message.encoded) != nil)
    }
}
