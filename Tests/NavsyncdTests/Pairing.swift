// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavPosix
import NavSync

@testable import navsyncd

/// Trust between daemons of a test, made in their state directories before they start.
enum Pairing {
    /// The identity of the daemon in `directory`, made as its first start would.
    static func identity(in directory: String) throws -> IdentityKey {
        mkdir(directory + "/state", 0o700)
        return try NodeIdentity.load(stateDirectory: directory + "/state", credentialsDirectory: nil).key
    }

    /// Lets the daemon in `directory` trust a node.
    static func trust(_ key: IdentityKey, _ name: String, _ rights: Rights = .all, in directory: String) throws {
        _ = try identity(in: directory)
        let store = try TrustStore(stateDirectory: directory + "/state")
        guard let id = NodeID(bytes: key.nodeID) else { throw TimedOut(what: "an id") }
        let peer = TrustedPeer(
            name: try PeerName(name), id: id, publicKey: key.publicKey, rights: rights, addresses: [],
            tlsGeneration: 0, addedSeconds: 0)
        try store.update { (table: inout PeerTable) throws(SyncError) in try table.put(peer) }
    }

    /// Lets two daemons trust each other with all rights.
    static func makeTrust(_ first: String, _ second: String) throws {
        try trust(identity(in: second), "second", in: first)
        try trust(identity(in: first), "first", in: second)
    }
}
