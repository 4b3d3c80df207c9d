// SPDX-License-Identifier: Apache-2.0
import NavPosix
import Testing

@Suite struct PairingProofTests {
    private let secret = [UInt8](repeating: 7, count: 16)

    private func connection() throws -> (pair: TLSPair, dialler: TLSNode, acceptor: TLSNode) {
        let (a, b) = (try TLSNode(), try TLSNode())
        let pair = TLSPair(
            dialler: try TLSEndpoint(context: a.context, role: .dialling(.pairing), admission: b.pin),
            acceptor: try TLSEndpoint(context: b.context, role: .accepting) { _, purpose in
                purpose == .pairing ? nil : TLSError(code: .untrustedIdentity, reason: "")
            })
        return (pair, a, b)
    }

    private func proofs(_ secret: [UInt8]) throws -> (dialler: PairingProof, acceptor: PairingProof) {
        let (pair, a, b) = try connection()
        pair.pump()
        return (
            try #require(
                PairingProof(
                    secret: secret, endpoint: pair.dialler, ownIdentity: a.identity.publicKey, side: .dialler)),
            try #require(
                PairingProof(
                    secret: secret, endpoint: pair.acceptor, ownIdentity: b.identity.publicKey, side: .acceptor))
        )
    }

    @Test func bothEndsAgree() throws {
        let (dialler, acceptor) = try proofs(secret)
        #expect(acceptor.isProof(dialler.proof(of: .dialler), of: .dialler))
        #expect(dialler.isProof(acceptor.proof(of: .acceptor), of: .acceptor))
        #expect(dialler.phraseBytes == acceptor.phraseBytes)
        #expect(dialler.phraseBytes.count == 6)
    }

    @Test func aProofCannotBeSentBack() throws {
        let (dialler, acceptor) = try proofs(secret)
        #expect(!dialler.isProof(dialler.proof(of: .dialler), of: .acceptor))
        #expect(!acceptor.isProof(acceptor.proof(of: .acceptor), of: .dialler))
    }

    @Test func aProofOfAnotherConnectionOrSecretIsWorthNothing() throws {
        let (first, _) = try proofs(secret)
        let (_, second) = try proofs(secret)
        #expect(!second.isProof(first.proof(of: .dialler), of: .dialler))
        let (guessed, right) = (try proofs([UInt8](repeating: 8, count: 16)), try proofs(secret))
        #expect(!right.acceptor.isProof(guessed.dialler.proof(of: .dialler), of: .dialler))
        #expect(!right.acceptor.isProof([], of: .dialler))
    }

    @Test func thereIsNoProofBeforeTheHandshake() throws {
        let (pair, a, _) = try connection()
        let proof = PairingProof(
            secret: secret, endpoint: pair.dialler, ownIdentity: a.identity.publicKey, side: .dialler)
        #expect(proof == nil)
    }
}
