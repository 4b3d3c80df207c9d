// SPDX-License-Identifier: Apache-2.0
import NavPosix
import Testing

@Suite struct TLSEndpointTests {
    private func error(_ code: TLSError.Code) -> TLSError { TLSError(code: code, reason: "") }

    private func pair(
        _ dialler: TLSNode, trusting expectedAcceptor: TLSNode, purpose: TLSPurpose = .sync, _ acceptor: TLSNode,
        trusting expectedDialler: TLSNode, offer: @escaping TLSEndpoint.Offer = { _ in true }
    ) throws -> TLSPair {
        TLSPair(
            dialler: try TLSEndpoint(
                context: dialler.context, role: .dialling(purpose), admission: expectedAcceptor.pin),
            acceptor: try TLSEndpoint(
                context: acceptor.context, role: .accepting, offer: offer, admission: expectedDialler.pin))
    }

    @Test func bothEndsKnowWhoTheOtherIs() throws {
        let (a, b) = (try TLSNode(generation: 3), try TLSNode(generation: 9))
        let pair = try pair(a, trusting: b, b, trusting: a)
        pair.pump()
        #expect(pair.dialler.isReady && pair.acceptor.isReady)
        #expect(pair.dialler.peer?.nodeID == b.identity.nodeID)
        #expect(pair.acceptor.peer?.nodeID == a.identity.nodeID)
        #expect(pair.dialler.peer?.generation == 9)
        #expect(pair.acceptor.peer?.generation == 3)
        #expect(pair.acceptor.purpose == .sync)
    }

    @Test(arguments: [0, 1, 16384, 16385, 1_500_000]) func carriesBytesBothWays(_ count: Int) throws {
        let (a, b) = (try TLSNode(), try TLSNode())
        let pair = try pair(a, trusting: b, b, trusting: a)
        pair.pump()
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try pair.dialler.send(bytes)
        try pair.acceptor.send(bytes.reversed())
        let plain = pair.pump()
        #expect(plain.atAcceptor == bytes)
        #expect(plain.atDialler == bytes.reversed())
    }

    @Test func bytesMayComeOneByOne() throws {
        let (a, b) = (try TLSNode(), try TLSNode())
        let pair = try pair(a, trusting: b, b, trusting: a)
        try pair.dialler.start()
        var plain: [UInt8] = []
        for _ in 0..<4 {
            for byte in pair.dialler.takeOutput() { plain += try pair.acceptor.receive([byte]) }
            if pair.dialler.isReady, plain.isEmpty { try pair.dialler.send([7, 8]) }
            for byte in pair.acceptor.takeOutput() { _ = try pair.dialler.receive([byte]) }
        }
        #expect(plain == [7, 8])
    }

    @Test func aDiallerRefusesAnotherIdentity() throws {
        let (a, b, other) = (try TLSNode(), try TLSNode(), try TLSNode())
        let pair = try pair(a, trusting: other, b, trusting: a)
        pair.pump()
        #expect(pair.diallerError == error(.untrustedIdentity))
        #expect(pair.acceptorError == error(.refusedByPeer))
        #expect(!pair.dialler.isReady && !pair.acceptor.isReady)
    }

    @Test func anAcceptorRefusesAnotherIdentity() throws {
        let (a, b, other) = (try TLSNode(), try TLSNode(), try TLSNode())
        let pair = try pair(a, trusting: b, b, trusting: other)
        pair.pump()
        #expect(pair.acceptorError == error(.untrustedIdentity))
        #expect(pair.diallerError == error(.refusedByPeer))
        #expect(!pair.acceptor.isReady)
    }

    @Test func aTLSKeyThatTheIdentityDidNotSignIsRefused() throws {
        let (a, b) = (try TLSNode(), try TLSNode())
        // The thief has his own TLS key and shows the proof of another.
        let forged = try TLSContext(key: TLSKey(.generate(), proof: a.context.key.proof))
        let pair = TLSPair(
            dialler: try TLSEndpoint(context: forged, role: .dialling(.sync), admission: b.pin),
            acceptor: try TLSEndpoint(context: b.context, role: .accepting, admission: a.pin))
        pair.pump()
        #expect(pair.acceptorError == error(.malformedCertificate))
    }

    @Test func aGenerationThatTheIdentityDidNotSignIsRefused() throws {
        let (a, b) = (try TLSNode(), try TLSNode())
        let key = IdentityKey.generate()
        let signed = TLSKey.issue(key, by: a.identity, generation: 1).proof
        let proof = TLSKeyProof(
            identityPublicKey: signed.identityPublicKey, generation: 99, signature: signed.signature)
        let forged = try TLSContext(key: TLSKey(key, proof: proof))
        let pair = TLSPair(
            dialler: try TLSEndpoint(context: forged, role: .dialling(.sync), admission: b.pin),
            acceptor: try TLSEndpoint(context: b.context, role: .accepting, admission: a.pin))
        pair.pump()
        #expect(pair.acceptorError == error(.malformedCertificate))
    }

    @Test func aPurposeThatIsNotOfferedIsRefused() throws {
        let (a, b) = (try TLSNode(), try TLSNode())
        let pair = try pair(a, trusting: b, purpose: .pairing, b, trusting: a, offer: { $0 == .sync })
        pair.pump()
        #expect(pair.acceptorError == error(.noCommonProtocol))
        #expect(pair.diallerError == error(.noCommonProtocol))
    }

    @Test func aFloodBeforeTheEndOfTheHandshakeIsCutOff() throws {
        let b = try TLSNode()
        let endpoint = try TLSEndpoint(context: b.context, role: .accepting, admission: b.pin)
        // A ClientHello that claims 64 KiB, sent in records of 1 KiB.
        let record: [UInt8] = [22, 3, 1, 4, 0] + [1, 1, 0, 0] + [UInt8](repeating: 3, count: 1020)
        var refusal: TLSError?
        var sent = 0
        while refusal == nil, sent < 1_000_000 {
            do throws(TLSError) { _ = try endpoint.receive(record) } catch { refusal = error }
            sent += record.count
        }
        #expect(refusal != nil)
        #expect(sent < 32_768)
    }

    @Test(
        arguments: [[0, 0, 0, 9, 1], Array("GET / HTTP/1.1\r\n\r\n".utf8), [22, 3, 3, 255, 255], [0x80, 0x2E, 1]]
            as [[UInt8]])
    func bytesThatAreNotTLSEndTheConnection(_ bytes: [UInt8]) throws {
        let b = try TLSNode()
        let endpoint = try TLSEndpoint(context: b.context, role: .accepting, admission: b.pin)
        #expect(throws: error(.protocolViolation)) { try endpoint.receive(bytes + [UInt8](repeating: 0, count: 64)) }
        #expect(throws: error(.protocolViolation)) { try endpoint.receive([0]) }
    }

    @Test func aRecordedConnectionCannotBePlayedAgain() throws {
        let (a, b) = (try TLSNode(), try TLSNode())
        let pair = try pair(a, trusting: b, b, trusting: a)
        pair.pump()
        try pair.dialler.send(Array("push".utf8))
        pair.pump()
        let again = try TLSEndpoint(context: b.context, role: .accepting, admission: a.pin)
        var plain: [UInt8] = []
        #expect(throws: error(.protocolViolation)) { plain = try again.receive(pair.toAcceptor) }
        #expect(plain.isEmpty && again.peer == nil)
    }

    @Test func everyFlippedByteOfAHandshakeIsNoticed() throws {
        let (a, b) = (try TLSNode(), try TLSNode())
        let clean = try pair(a, trusting: b, b, trusting: a)
        clean.pump()
        for index in stride(from: 0, to: clean.toAcceptor.count, by: 7) {
            let pair = try pair(a, trusting: b, b, trusting: a)
            try pair.dialler.start()
            var seen = 0
            var refused = false
            for _ in 0..<4 where !refused {
                var bytes = pair.dialler.takeOutput()
                if seen <= index, index < seen + bytes.count { bytes[index - seen] ^= 1 }
                seen += bytes.count
                do throws(TLSError) {
                    _ = try pair.acceptor.receive(bytes)
                    _ = try pair.dialler.receive(pair.acceptor.takeOutput())
                } catch { refused = true }
            }
            // A flip may also make the acceptor wait for bytes that never come; it must not be let in.
            #expect(refused || !pair.acceptor.isReady || isRecordVersion(index, in: clean.toAcceptor))
        }
    }

    /// Byte 1 and 2 of a record header carry a version that TLS 1.3 tells receivers to ignore.
    private func isRecordVersion(_ index: Int, in bytes: [UInt8]) -> Bool {
        var start = 0
        while start + 5 <= bytes.count {
            if index == start + 1 || index == start + 2 { return true }
            start += 5 + Int(bytes[start + 3]) << 8 + Int(bytes[start + 4])
        }
        return false
    }

    @Test func bothEndsExportTheSameSecretAndNoOtherConnectionDoes() throws {
        let (a, b) = (try TLSNode(), try TLSNode())
        let first = try pair(a, trusting: b, b, trusting: a)
        let second = try pair(a, trusting: b, b, trusting: a)
        #expect(first.dialler.exportSecret(label: "EXPORTER-x", count: 32) == nil)
        first.pump()
        second.pump()
        let secret = first.dialler.exportSecret(label: "EXPORTER-x", count: 32)
        #expect(secret?.count == 32)
        #expect(secret == first.acceptor.exportSecret(label: "EXPORTER-x", count: 32))
        #expect(secret != first.acceptor.exportSecret(label: "EXPORTER-y", count: 32))
        #expect(secret != second.acceptor.exportSecret(label: "EXPORTER-x", count: 32))
    }

    @Test func aCloseIsToldApartFromACut() throws {
        let (a, b) = (try TLSNode(), try TLSNode())
        let pair = try pair(a, trusting: b, b, trusting: a)
        pair.pump()
        try pair.dialler.send([1])
        pair.dialler.close()
        let last = pair.dialler.takeOutput()
        #expect(try pair.acceptor.receive(last) == [1])
        #expect(throws: error(.closed)) { try pair.acceptor.receive([0]) }
        #expect(throws: error(.closed)) { try pair.dialler.send([1]) }
    }

    @Test func keysRotateWhileTheIdentityStays() throws {
        let identity = IdentityKey.generate()
        let old = TLSKey.issue(by: identity, generation: 5)
        let new = TLSKey.issue(by: identity, generation: 6)
        #expect(old.publicKey != new.publicKey)
        #expect(old.proof.identityPublicKey == new.proof.identityPublicKey)
        #expect(TLSKey.nextGeneration(after: 5, wallMilliseconds: 3) == 6)
        #expect(TLSKey.nextGeneration(after: 5, wallMilliseconds: 90) == 90)
        #expect(TLSKey.nextGeneration(after: .max, wallMilliseconds: 90) == .max)
    }
}
