// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// What all TLS connections of one TLS key share. After a rotation a new context serves new connections; those that
/// are open keep the old one until they end.
package final class TLSContext {
    let pointer: OpaquePointer
    package let key: TLSKey
    /// Where records are decrypted before they are copied out; one is enough because one thread uses all endpoints.
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: maximumRecordByteCount, alignment: 16)

    /// The most bytes a certificate message may have: ours has about 500.
    static let maximumCertificateByteCount = 4096
    /// A TLS record holds at most 2^14 bytes; the rest is its own overhead.
    static let maximumRecordByteCount = 16384 + 256

    package init(key: TLSKey) throws(TLSError) {
        guard let pointer = SSL_CTX_new(TLS_method()) else { throw Self.failure("create a TLS context") }
        (self.pointer, self.key) = (pointer, key)
        try restrict()
        try useKey()
    }

    deinit {
        SSL_CTX_free(pointer)
        scratch.deallocate()
    }

    /// TLS 1.3 only, one signature algorithm, nothing that outlives a connection.
    private func restrict() throws(TLSError) {
        let isLimited =
            SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_3_VERSION), nil) == 1
            && SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(TLS1_3_VERSION), nil) == 1
            && SSL_CTX_set_num_tickets(pointer, 0) == 1
            && SSL_CTX_ctrl(pointer, SSL_CTRL_SET_SIGALGS_LIST, 0, Self.text("ed25519")) == 1
            && SSL_CTX_ctrl(pointer, SSL_CTRL_SET_GROUPS_LIST, 0, Self.text("X25519:P-256")) == 1
        guard isLimited else { throw Self.failure("restrict TLS to version 1.3") }
        SSL_CTX_set_options(pointer, NAV_SSL_OP_STRICT)
        SSL_CTX_ctrl(pointer, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
        SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MAX_CERT_LIST, Self.maximumCertificateByteCount, nil)
        SSL_CTX_ctrl(pointer, SSL_CTRL_MODE, Int(SSL_MODE_RELEASE_BUFFERS), nil)
        SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        SSL_CTX_set_cert_verify_callback(pointer, { store, _ in TLSEndpoint.verify(store) }, nil)
        SSL_CTX_set_alpn_select_cb(pointer, TLSEndpoint.selectProtocol, nil)
    }

    private func useKey() throws(TLSError) {
        let privateKey = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, key.seed, key.seed.count)
        defer { EVP_PKEY_free(privateKey) }
        guard let privateKey, let certificate = TLSCertificate.make(for: key, signedBy: privateKey) else {
            throw Self.failure("make a TLS certificate")
        }
        defer { X509_free(certificate) }
        guard SSL_CTX_use_certificate(pointer, certificate) == 1, SSL_CTX_use_PrivateKey(pointer, privateKey) == 1
        else { throw Self.failure("use a TLS certificate") }
    }

    static func failure(_ operation: String) -> TLSError {
        TLSError(code: .internalFailure, reason: "\(operation): \(lastOpenSSLReason() ?? "unknown failure")")
    }

    /// The newest entry of this thread's OpenSSL error queue, which is emptied.
    static func lastOpenSSLReason() -> String? {
        let error = ERR_peek_last_error()
        ERR_clear_error()
        guard error != 0 else { return nil }
        return ERR_reason_error_string(error).map { String(cString: $0) } ?? "error \(error)"
    }

    /// A C string that lives for ever, as SSL_CTX_ctrl wants a mutable pointer and keeps nothing. Called with constants.
    private static func text(_ constant: StaticString) -> UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(mutating: constant.utf8Start)
    }
}
