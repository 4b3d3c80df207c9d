// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavPosix
import Testing

@Suite struct SecureConnectionTests {
    private func pair(
        trustingDialler: Bool = true, trustingAcceptor: Bool = true
    ) throws -> (loop: EventLoop, dialler: Party, acceptor: Party) {
        let (loop, dialler, acceptor) = try makePair()
        let (a, b, other) = (try TLSNode(), try TLSNode(), try TLSNode())
        try acceptor.connection?.secure(
            with: TLSEndpoint(
                context: b.context, role: .accepting, admission: (trustingDialler ? a : other).pin))
        try dialler.connection?.secure(
            with: TLSEndpoint(
                context: a.context, role: .dialling(.sync), admission: (trustingAcceptor ? b : other).pin))
        return (loop, dialler, acceptor)
    }

    @Test func bothOwnersHearOfSecurityBeforeTheFirstByte() throws {
        let (loop, dialler, acceptor) = try pair()
        dialler.onSecured = { $0.send([1, 2, 3]) }
        acceptor.onBytes = { connection, bytes in
            #expect(acceptor.secured == 1)
            connection.send(bytes.reversed())
        }
        try loop.run(until: "an answer") { dialler.received.count == 3 }
        #expect(dialler.received == [3, 2, 1])
        #expect(dialler.secured == 1 && acceptor.secured == 1)
    }

    @Test func muchArrivesInOrderAndTheSenderIsTold() throws {
        let (loop, dialler, acceptor) = try pair()
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        dialler.onSecured = { connection in
            for start in stride(from: 0, to: bytes.count, by: 70_001) {
                connection.send(Array(bytes[start..<min(bytes.count, start + 70_001)]))
            }
        }
        try loop.run(until: "all bytes") { acceptor.received.count == bytes.count }
        let isSame = acceptor.received == bytes
        #expect(isSame)
        #expect(dialler.drained >= 1)
    }

    @Test(arguments: [true, false]) func aRefusalEndsBothSidesWithoutABytePassing(_ acceptorRefuses: Bool) throws {
        let (loop, dialler, acceptor) = try pair(
            trustingDialler: !acceptorRefuses, trustingAcceptor: acceptorRefuses)
        dialler.onSecured = { $0.send([1]) }
        try loop.run(until: "both ends closed") { dialler.closed == 1 && acceptor.closed == 1 }
        let (refusing, refused) = acceptorRefuses ? (acceptor, dialler) : (dialler, acceptor)
        #expect(refusing.connection?.tlsFailure?.code == .untrustedIdentity)
        #expect(refused.connection?.tlsFailure?.code == .refusedByPeer)
        #expect(acceptor.received.isEmpty && acceptor.secured == 0)
        #expect(refusing.failures.first?.errno == EPROTO)
    }

    @Test func aCloseInOrderIsAnEndOfInput() throws {
        let (loop, dialler, acceptor) = try pair()
        dialler.onSecured = { connection in
            connection.send([7])
            connection.closeAfterFlush(deadline: SystemClock.monotonicNanoseconds() + 1_000_000_000)
        }
        acceptor.onEnd = { $0.close() }
        try loop.run(until: "the end") { acceptor.closed == 1 }
        #expect(acceptor.received == [7] && acceptor.ended == 1 && acceptor.failures.isEmpty)
    }

    @Test func theFirstByteDecidesWhenBothAreAllowed() throws {
        for offersTLS in [true, false] {
            let (loop, dialler, acceptor) = try makePair()
            let (a, b) = (try TLSNode(), try TLSNode())
            acceptor.connection?.secureIfOffered { () throws(TLSError) in
                try TLSEndpoint(context: b.context, role: .accepting, admission: a.pin)
            }
            if offersTLS {
                dialler.onSecured = { $0.send([1, 2]) }
                try dialler.connection?.secure(
                    with: TLSEndpoint(context: a.context, role: .dialling(.sync), admission: b.pin))
            } else {
                dialler.connection?.send([1, 2])
            }
            try loop.run(until: "two bytes") { acceptor.received.count == 2 }
            #expect(acceptor.secured == (offersTLS ? 1 : 0))
            #expect(acceptor.plain == (offersTLS ? 0 : 1))
        }
    }

    @Test func plainBytesOnASecureConnectionEndIt() throws {
        let (loop, dialler, acceptor) = try makePair()
        let node = try TLSNode()
        try acceptor.connection?.secure(
            with: TLSEndpoint(context: node.context, role: .accepting, admission: node.pin))
        dialler.connection?.send([0, 0, 0, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
        try loop.run(until: "the end") { acceptor.closed == 1 }
        #expect(acceptor.connection?.tlsFailure?.code == .protocolViolation)
        #expect(acceptor.received.isEmpty)
    }
}
