// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The identity of this node: made once, at the first start on a state directory, and never by accident again.
///
/// The directory holds `identity.key` (0600; absent when the key comes as a credential) and `identity.pub`, which
/// remembers whose directory it is: when the key is gone or another one, starting fails instead of inventing a node.
/// The caller owns the directory and holds its lock.
package struct NodeIdentity: Sendable {
    package enum Source: Hashable, Sendable {
        /// Made just now.
        case created
        /// Read from the state directory.
        case file
        /// Completed from the temporary file that a power cut left behind; worth a warning.
        case recovered
        /// Given by the service manager.
        case credential
    }

    package let key: IdentityKey
    package let source: Source

    package var nodeID: [UInt8] { key.nodeID }

    package static let keyFileName = "identity.key"
    package static let publicFileName = "identity.pub"
    /// The name of the systemd credential (`LoadCredential=navsync.identity:…`); its content is that of the key file.
    package static let credentialName = "navsync.identity"

    /// Finds the key as a credential, in the state directory, or makes it.
    ///
    /// `credentialsDirectory` is `$CREDENTIALS_DIRECTORY`. `describe` gives the text form of a node id for messages.
    package static func load(
        stateDirectory: String, credentialsDirectory: String?,
        describe: ([UInt8]) -> String = { Hexadecimal.encode($0) }
    ) throws(IdentityError) -> Self {
        let identity: Self
        let path = stateDirectory + "/" + keyFileName
        let owner = try readOwner(of: stateDirectory)
        if let directory = credentialsDirectory, let key = try readKey(directory + "/" + credentialName) {
            identity = Self(key: key, source: .credential)
        } else if let found = try readKeyFile(path, owner: owner) {
            identity = found
        } else if let owner {
            throw .missing(path, id: describe(IdentityKey.nodeID(ofPublicKey: owner)))
        } else {
            identity = Self(key: .generate(), source: .created)
            try replacing { () throws(PosixError) in
                try AtomicFile.write(IdentityFile.encode(identity.key), to: path, mode: 0o600)
            }
        }
        try identity.claim(stateDirectory, owner: owner, describe: describe)
        return identity
    }

    /// Checks that the directory belongs to this key, or writes that it does.
    private func claim(
        _ stateDirectory: String, owner: [UInt8]?, describe: ([UInt8]) -> String
    ) throws(IdentityError) {
        if let owner {
            guard owner == key.publicKey else {
                throw .foreign(
                    source == .credential ? "the credential" : stateDirectory + "/" + Self.keyFileName,
                    found: describe(nodeID), expected: describe(IdentityKey.nodeID(ofPublicKey: owner)))
            }
            return
        }
        let line = Array((Hexadecimal.encode(key.publicKey) + "\n").utf8)
        try Self.replacing { () throws(PosixError) in
            try AtomicFile.write(line, to: stateDirectory + "/" + Self.publicFileName, mode: 0o600)
        }
    }

    private static func readKeyFile(_ path: String, owner: [UInt8]?) throws(IdentityError) -> Self? {
        let live = try read(path)
        if let live, case .success(let key) = IdentityFile.decode(live) {
            try checkMode(path)
            return Self(key: key, source: .file)
        }
        // A complete temporary file is the same write, one step earlier. Without `identity.pub` only an absent or
        // empty file proves that: a damaged one might have held another key.
        if let left = try read(AtomicFile.temporaryPath(of: path)), case .success(let key) = IdentityFile.decode(left),
            owner == key.publicKey || owner == nil && (live ?? []).allSatisfy({ $0 == 0 })
        {
            try replacing { () throws(PosixError) in try AtomicFile.adoptTemporary(of: path) }
            try checkMode(path)
            return Self(key: key, source: .recovered)
        }
        guard let live, case .failure(let fault) = IdentityFile.decode(live) else { return nil }
        throw .damaged(path, fault.what)
    }

    private static func readKey(_ path: String) throws(IdentityError) -> IdentityKey? {
        guard let bytes = try read(path) else { return nil }
        switch IdentityFile.decode(bytes) {
        case .success(let key): return key
        case .failure(let fault): throw .damaged(path, fault.what)
        }
    }

    /// The public key in `identity.pub`; nil when there is no such file or a power cut left it empty. It can be written
    /// again from the key, so an empty one is no reason to stop; one with other content is.
    private static func readOwner(of stateDirectory: String) throws(IdentityError) -> [UInt8]? {
        let path = stateDirectory + "/" + publicFileName
        guard let bytes = try read(path), !bytes.allSatisfy({ $0 == 0 }) else { return nil }
        guard bytes.last == UInt8(ascii: "\n"),
            let key = Hexadecimal.decode(String(decoding: bytes.dropLast(), as: UTF8.self)),
            key.count == IdentityKey.publicByteCount
        else { throw .damaged(path, "it is not one line of 64 lower-case hexadecimal digits") }
        return key
    }

    private static func read(_ path: String) throws(IdentityError) -> [UInt8]? {
        do throws(PosixError) {
            return try AtomicFile.read(path, limit: IdentityFile.maximumByteCount)
        } catch {
            if error.errno == EFBIG { throw .damaged(path, "it is larger than \(IdentityFile.maximumByteCount) bytes") }
            throw .unavailable(error)
        }
    }

    private static func checkMode(_ path: String) throws(IdentityError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw .unavailable(PosixError(errno: errno, operation: "stat \(path)"))
        }
        let mode = status.st_mode & 0o7777
        guard mode & 0o077 == 0 else { throw .exposed(path, mode: mode) }
    }

    private static func replacing(_ write: () throws(PosixError) -> Void) throws(IdentityError) {
        do throws(PosixError) { try write() } catch { throw .unavailable(error) }
    }
}
