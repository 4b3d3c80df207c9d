// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// The certificate of a TLS key: a bare X.509 container for the key and its proof. Names and dates are constants and
/// are never looked at.
enum TLSCertificate {
    /// A new X509 that the caller frees; nil when OpenSSL fails.
    static func make(for key: TLSKey, signedBy privateKey: OpaquePointer) -> OpaquePointer? {
        guard let certificate = X509_new() else { return nil }
        let name = X509_get_subject_name(certificate)
        let isMade =
            X509_set_version(certificate, 2) == 1
            && ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1) == 1
            && ASN1_TIME_set_string(X509_getm_notBefore(certificate), "19700101000000Z") == 1
            && ASN1_TIME_set_string(X509_getm_notAfter(certificate), "99991231235959Z") == 1
            && X509_NAME_add_entry_by_txt(name, "CN", NAV_MBSTRING_UTF8, "navsync", -1, -1, 0) == 1
            && X509_set_issuer_name(certificate, name) == 1
            && X509_set_pubkey(certificate, privateKey) == 1
            && add(key.proof, to: certificate)
            && X509_sign(certificate, privateKey, nil) > 0
        if isMade { return certificate }
        X509_free(certificate)
        return nil
    }

    /// The identity that a presented certificate proves; throws when it proves none.
    static func proof(in certificate: OpaquePointer) throws(TLSError) -> TLSKeyProof {
        guard let publicKey = publicKey(of: certificate) else {
            throw TLSError(code: .malformedCertificate, reason: "the certificate's key is not an Ed25519 key")
        }
        guard let bytes = extensionBytes(of: certificate), let proof = TLSKeyProof(bytes) else {
            throw TLSError(code: .malformedCertificate, reason: "the certificate carries no identity")
        }
        guard proof.isValid(for: publicKey) else {
            throw TLSError(code: .malformedCertificate, reason: "the TLS key is not signed by the identity it claims")
        }
        return proof
    }

    private static func publicKey(of certificate: OpaquePointer) -> [UInt8]? {
        guard let key = X509_get0_pubkey(certificate), EVP_PKEY_get_id(key) == EVP_PKEY_ED25519 else { return nil }
        var bytes = [UInt8](repeating: 0, count: IdentityKey.publicByteCount)
        var count = bytes.count
        guard EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1, count == bytes.count else { return nil }
        return bytes
    }

    private static func add(_ proof: TLSKeyProof, to certificate: OpaquePointer) -> Bool {
        let object = OBJ_txt2obj(TLSKeyProof.objectIdentifier, 1)
        let value = ASN1_OCTET_STRING_new()
        defer {
            ASN1_OBJECT_free(object)
            ASN1_OCTET_STRING_free(value)
        }
        let bytes = proof.bytes
        guard object != nil, ASN1_OCTET_STRING_set(value, bytes, Int32(bytes.count)) == 1,
            let added = X509_EXTENSION_create_by_OBJ(nil, object, 0, value)
        else { return false }
        defer { X509_EXTENSION_free(added) }
        return X509_add_ext(certificate, added, -1) == 1
    }

    private static func extensionBytes(of certificate: OpaquePointer) -> [UInt8]? {
        let object = OBJ_txt2obj(TLSKeyProof.objectIdentifier, 1)
        defer { ASN1_OBJECT_free(object) }
        let index = X509_get_ext_by_OBJ(certificate, object, -1)
        // A second one would make two readers see two identities.
        guard index >= 0, X509_get_ext_by_OBJ(certificate, object, index) < 0,
            let value = X509_EXTENSION_get_data(X509_get_ext(certificate, index)),
            let start = ASN1_STRING_get0_data(value)
        else { return nil }
        return Array(UnsafeBufferPointer(start: start, count: Int(ASN1_STRING_length(value))))
    }
}
