// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// What a connection is for, agreed in the handshake (ALPN) before anything else is said.
package enum TLSPurpose: String, Hashable, Sendable, CaseIterable {
    /// Two daemons that trust each other.
    case sync = "navsync/1"
    /// Two daemons that are about to.
    case pairing = "navsync-pair/1"
}

/// Who is at the other end, as proved by its certificate.
package struct TLSPeer: Hashable, Sendable {
    package let identityPublicKey: [UInt8]
    package let generation: UInt64
    package var nodeID: [UInt8] { IdentityKey.nodeID(ofPublicKey: identityPublicKey) }
}

/// One end of a TLS connection without a socket: received bytes go in, plain bytes and bytes to send come out.
///
/// Used by one thread. After an error nothing more is accepted; `takeOutput` may still hold the alert that tells the
/// other end why.
package final class TLSEndpoint {
    package enum Role: Hashable, Sendable {
        case accepting
        case dialling(TLSPurpose)
    }

    /// Decides about the other end when its certificate has proved who it is. nil lets it in.
    package typealias Admission = (TLSPeer, TLSPurpose) -> TLSError?
    /// Whether an accepted connection may be for this purpose now.
    package typealias Offer = (TLSPurpose) -> Bool

    /// A whole handshake from the other end has about 900 bytes.
    package static let maximumHandshakeByteCount = 8192
    private static let handshakeStepByteCount = 1024

    private let context: TLSContext
    private let ssl: OpaquePointer
    private let input: OpaquePointer
    private let output: OpaquePointer
    private let admission: Admission
    private let offer: Offer
    package let role: Role
    private var handshakeByteCount = 0
    private var refusal: TLSError?
    private var ended: TLSError?

    package private(set) var peer: TLSPeer?
    /// What the connection is for; nil until an accepted connection has said so.
    package private(set) var purpose: TLSPurpose?
    /// Whether our side of the handshake is done. A dialler is not let in yet: the other end may still refuse it.
    package private(set) var isReady = false

    package init(
        context: TLSContext, role: Role, offer: @escaping Offer = { _ in true }, admission: @escaping Admission
    ) throws(TLSError) {
        guard let ssl = SSL_new(context.pointer) else { throw TLSContext.failure("create a TLS connection") }
        guard let input = BIO_new(BIO_s_mem()), let output = BIO_new(BIO_s_mem()) else {
            SSL_free(ssl)
            throw TLSContext.failure("create TLS buffers")
        }
        SSL_set_bio(ssl, input, output)
        (self.context, self.ssl, self.input, self.output) = (context, ssl, input, output)
        (self.role, self.offer, self.admission) = (role, offer, admission)
        // The pointer is used by callbacks only while a call on `ssl` runs, that is, while self is alive.
        SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque())
        switch role {
        case .accepting:
            SSL_set_accept_state(ssl)
        case .dialling(let purpose):
            self.purpose = purpose
            let list = Self.protocolList([purpose])
            guard SSL_set_alpn_protos(ssl, list, UInt32(list.count)) == 0 else {
                throw TLSContext.failure("offer a protocol")
            }
            SSL_set_connect_state(ssl)
        }
    }

    deinit { SSL_free(ssl) }

    /// Starts the handshake of a dialler; its first bytes are then in `takeOutput`.
    package func start() throws(TLSError) { try advance() }

    /// Takes received bytes and returns the plain bytes that they complete.
    package func receive(_ bytes: UnsafeRawBufferPointer) throws(TLSError) -> [UInt8] {
        if let ended { throw ended }
        var rest = bytes[...]
        // In small steps: what follows the handshake may come with its last bytes and does not count as part of it.
        while !isReady, !rest.isEmpty {
            let step = rest.prefix(Self.handshakeStepByteCount)
            rest = rest.dropFirst(step.count)
            handshakeByteCount += step.count
            try buffer(UnsafeRawBufferPointer(rebasing: step))
            try advance()
            guard isReady || handshakeByteCount <= Self.maximumHandshakeByteCount else {
                throw end(TLSError(code: .handshakeTooLarge, reason: handshakeReason))
            }
        }
        guard isReady else { return [] }
        try buffer(UnsafeRawBufferPointer(rebasing: rest))
        return try readPlain()
    }

    private func buffer(_ bytes: UnsafeRawBufferPointer) throws(TLSError) {
        guard !bytes.isEmpty else { return }
        guard let count = Int32(exactly: bytes.count), BIO_write(input, bytes.baseAddress, count) == count else {
            throw end(TLSContext.failure("buffer received bytes"))
        }
    }

    package func receive(_ bytes: [UInt8]) throws(TLSError) -> [UInt8] {
        // withUnsafeBytes cannot rethrow a typed error through an untyped closure of this toolchain's overlay.
        let result = bytes.withUnsafeBytes { buffer in
            Result { () throws(TLSError) in try receive(buffer) }
        }
        return try result.get()
    }

    /// Encrypts `bytes`; the result is in `takeOutput`. Call it when `isReady`.
    package func send(_ bytes: [UInt8]) throws(TLSError) {
        if let ended { throw ended }
        guard isReady else { throw end(TLSError(code: .internalFailure, reason: "sent before the handshake")) }
        var written = 0
        ERR_clear_error()
        // Memory BIOs take everything, so one call either writes all or fails.
        guard bytes.isEmpty || SSL_write_ex(ssl, bytes, bytes.count, &written) == 1 && written == bytes.count else {
            throw end(TLSContext.failure("encrypt"))
        }
    }

    /// Bytes for the other end; empty when there are none.
    package func takeOutput() -> [UInt8] {
        let pending = BIO_ctrl(output, BIO_CTRL_PENDING, 0, nil)
        guard pending > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: pending) { buffer, count in
            count = max(0, Int(BIO_read(output, buffer.baseAddress, Int32(clamping: pending))))
        }
    }

    /// Tells the other end that nothing more follows.
    package func close() {
        guard ended == nil else { return }
        if isReady { SSL_shutdown(ssl) }
        _ = end(TLSError(code: .closed, reason: "closed by this end"))
    }

    /// Bytes that only the two ends of this very connection know, for `label`. nil before the handshake is done.
    package func exportSecret(label: String, count: Int) -> [UInt8]? {
        guard isReady else { return nil }
        var secret = [UInt8](repeating: 0, count: count)
        let done = SSL_export_keying_material(ssl, &secret, count, label, label.utf8.count, nil, 0, 0)
        return done == 1 ? secret : nil
    }

    // MARK: - The handshake

    private var handshakeReason: String {
        "\(handshakeByteCount) bytes before the end of the handshake, \(Self.maximumHandshakeByteCount) are allowed"
    }

    private func advance() throws(TLSError) {
        if let ended { throw ended }
        ERR_clear_error()
        let result = SSL_do_handshake(ssl)
        if result == 1 {
            guard agreedPurpose == purpose else {
                throw end(TLSError(code: .noCommonProtocol, reason: "the other end agreed to no protocol"))
            }
            isReady = true
            return
        }
        if SSL_get_error(ssl, result) != SSL_ERROR_WANT_READ { throw end(failure()) }
    }

    private var agreedPurpose: TLSPurpose? {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &count)
        return TLSPurpose(
            rawValue: String(decoding: UnsafeBufferPointer(start: name, count: Int(count)), as: UTF8.self))
    }

    private func readPlain() throws(TLSError) -> [UInt8] {
        var plain: [UInt8] = []
        while true {
            var count = 0
            ERR_clear_error()
            if SSL_read_ex(ssl, context.scratch.baseAddress, context.scratch.count, &count) == 1 {
                plain += UnsafeRawBufferPointer(rebasing: context.scratch[..<count])
                continue
            }
            switch SSL_get_error(ssl, 0) {
            case SSL_ERROR_WANT_READ:
                return plain
            case SSL_ERROR_ZERO_RETURN:
                // What came before the close is still the caller's; the next call reports it.
                let closed = end(TLSError(code: .closed, reason: "closed by the other end"))
                if plain.isEmpty { throw closed }
                return plain
            default:
                throw end(failure())
            }
        }
    }

    private func end(_ error: TLSError) -> TLSError {
        ended = error
        return error
    }

    /// The error of the call that just failed: our own refusal, the other end's alert, or broken bytes.
    private func failure() -> TLSError {
        let error = ERR_peek_error()
        let text = TLSContext.lastOpenSSLReason() ?? "the connection broke"
        if let refusal { return refusal }
        let reason = Int(ERR_GET_REASON(error))
        // OpenSSL reports an alert from the other end as 1000 + its number.
        if reason == Int(SSL_AD_REASON_OFFSET + SSL_AD_NO_APPLICATION_PROTOCOL) {
            return TLSError(code: .noCommonProtocol, reason: text)
        }
        if reason >= Int(SSL_AD_REASON_OFFSET) { return TLSError(code: .refusedByPeer, reason: text) }
        if reason == Int(SSL_R_NO_APPLICATION_PROTOCOL) { return TLSError(code: .noCommonProtocol, reason: text) }
        return TLSError(code: .protocolViolation, reason: text)
    }
}

// MARK: - What OpenSSL asks during the handshake

extension TLSEndpoint {
    private static func endpoint(of ssl: OpaquePointer?) -> TLSEndpoint? {
        SSL_get_ex_data(ssl, 0).map { Unmanaged<TLSEndpoint>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Takes the place of OpenSSL's chain check: 1 lets the other end in.
    static func verify(_ store: OpaquePointer?) -> Int32 {
        guard let ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
            let endpoint = endpoint(of: OpaquePointer(ssl)), let certificate = X509_STORE_CTX_get0_cert(store)
        else { return 0 }
        if let refusal = endpoint.judge(certificate) {
            endpoint.refusal = refusal
            X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_REJECTED)
            return 0
        }
        return 1
    }

    private func judge(_ certificate: OpaquePointer) -> TLSError? {
        do throws(TLSError) {
            let proof = try TLSCertificate.proof(in: certificate)
            let peer = TLSPeer(identityPublicKey: proof.identityPublicKey, generation: proof.generation)
            self.peer = peer
            guard let purpose else { return TLSError(code: .noCommonProtocol, reason: "no protocol was agreed") }
            return admission(peer, purpose)
        } catch {
            return error
        }
    }

    private static func protocolList(_ purposes: [TLSPurpose]) -> [UInt8] {
        purposes.flatMap { [UInt8($0.rawValue.utf8.count)] + Array($0.rawValue.utf8) }
    }

    static let selectProtocol:
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt8>?,
            UnsafePointer<UInt8>?, UInt32, UnsafeMutableRawPointer?
        ) -> Int32 = { ssl, chosen, chosenCount, offered, offeredCount, _ in
            guard let endpoint = TLSEndpoint.endpoint(of: ssl), let offered else { return SSL_TLSEXT_ERR_ALERT_FATAL }
            // A list of (length, name), already checked by OpenSSL; it outlives this call.
            var index = 0
            while index < Int(offeredCount) {
                let count = Int(offered[index])
                guard index + 1 + count <= Int(offeredCount) else { break }
                let name = String(
                    decoding: UnsafeBufferPointer(start: offered + index + 1, count: count), as: UTF8.self)
                if let purpose = TLSPurpose(rawValue: name), endpoint.offer(purpose) {
                    endpoint.purpose = purpose
                    chosen?.pointee = offered + index + 1
                    chosenCount?.pointee = UInt8(count)
                    return SSL_TLSEXT_ERR_OK
                }
                index += 1 + count
            }
            return SSL_TLSEXT_ERR_ALERT_FATAL
        }
}
