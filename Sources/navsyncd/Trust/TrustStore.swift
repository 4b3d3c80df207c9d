// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavPosix
import NavSync

/// Why the table of trusted peers cannot be used.
struct TrustError: Error, CustomStringConvertible {
    let reason: String
    let hint: String
    var description: String { "\(reason); \(hint)" }
}

/// The trusted peers of this daemon, in memory and in the file `peers` of the state directory.
///
/// No file means nobody is trusted. A file that is not understood stops the start, and a change that cannot be written
/// does not happen: what is in memory is always what is on disk.
final class TrustStore {
    static let fileName = "peers"

    private let path: String
    private(set) var table: PeerTable

    init(stateDirectory: String) throws(TrustError) {
        path = stateDirectory + "/" + Self.fileName
        table = try Self.read(path)
    }

    /// Makes a change durable, then visible. Returns what `change` returns.
    func update<Value>(_ change: (inout PeerTable) throws(SyncError) -> Value) throws(SyncError) -> Value {
        var changed = table
        let value = try change(&changed)
        guard changed != table else { return value }
        do throws(PosixError) {
            try AtomicFile.write(changed.encoded, to: path, mode: 0o600)
        } catch {
            throw SyncError(code: .storeFailed, reason: "the peers could not be written: \(error)")
        }
        table = changed
        return value
    }

    private static func read(_ path: String) throws(TrustError) -> PeerTable {
        let bytes: [UInt8]
        do throws(PosixError) {
            guard let found = try AtomicFile.read(path, limit: PeerTable.maximumByteCount) else { return PeerTable() }
            bytes = found
            if bytes.allSatisfy({ $0 == 0 }), let table = try recovered(path) { return table }
        } catch {
            throw TrustError(reason: "\(error)", hint: "check the state directory and its file system")
        }
        return try decode(bytes, path: path)
    }

    private static func recovered(_ path: String) throws(PosixError) -> PeerTable? {
        let temporary = AtomicFile.temporaryPath(of: path)
        guard let bytes = try AtomicFile.read(temporary, limit: PeerTable.maximumByteCount),
            let table = try? PeerTable(decoding: bytes)
        else { return nil }
        try AtomicFile.adoptTemporary(of: path)
        return table
    }

    private static func decode(_ bytes: [UInt8], path: String) throws(TrustError) -> PeerTable {
        let hint = "restore it from a backup, or move it away and pair again"
        let table: PeerTable
        do throws(SyncError) { table = try PeerTable(decoding: bytes) } catch {
            throw TrustError(reason: "\(path) is not a table of peers: \(error.reason)", hint: hint)
        }
        for peer in table.peers where NodeID(bytes: IdentityKey.nodeID(ofPublicKey: peer.publicKey)) != peer.id {
            throw TrustError(reason: "\(path): the id of \(peer.name) is not that of its key", hint: hint)
        }
        return table
    }
}
