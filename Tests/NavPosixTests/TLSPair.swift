// SPDX-License-Identifier: Apache-2.0
import NavPosix

/// Two endpoints joined in memory.
final class TLSPair {
    let dialler: TLSEndpoint
    let acceptor: TLSEndpoint
    var diallerError: TLSError?
    var acceptorError: TLSError?
    var toAcceptor: [UInt8] = []
    var toDialler: [UInt8] = []

    init(dialler: TLSEndpoint, acceptor: TLSEndpoint) {
        self.dialler = dialler
        self.acceptor = acceptor
    }

    /// Carries bytes both ways until neither has any left; returns the plain bytes that came out at each end.
    @discardableResult
    func pump() -> (atAcceptor: [UInt8], atDialler: [UInt8]) {
        var plain: (atAcceptor: [UInt8], atDialler: [UInt8]) = ([], [])
        do throws(TLSError) { try dialler.start() } catch { diallerError = diallerError ?? error }
        while true {
            let toAcceptor = dialler.takeOutput()
            let toDialler = acceptor.takeOutput()
            if toAcceptor.isEmpty && toDialler.isEmpty { return plain }
            self.toAcceptor += toAcceptor
            self.toDialler += toDialler
            if !toAcceptor.isEmpty {
                do throws(TLSError) { plain.atAcceptor += try acceptor.receive(toAcceptor) } catch {
                    acceptorError = acceptorError ?? error
                }
            }
            if !toDialler.isEmpty {
                do throws(TLSError) { plain.atDialler += try dialler.receive(toDialler) } catch {
                    diallerError = diallerError ?? error
                }
            }
        }
    }
}

/// A node for tests: an identity and a TLS context.
struct TLSNode {
    let identity = IdentityKey.generate()
    let context: TLSContext

    init(generation: UInt64 = 1) throws {
        context = try TLSContext(key: .issue(by: identity, generation: generation))
    }

    /// Admits only this identity.
    var pin: TLSEndpoint.Admission {
        let expected = identity.publicKey
        return { peer, _ in
            peer.identityPublicKey == expected
                ? nil : TLSError(code: .untrustedIdentity, reason: "another identity")
        }
    }
}
