// SPDX-License-Identifier: Apache-2.0

/// The names of what a log line says. Only ever added to: people filter by them.
enum LogKey: String, Sendable, CaseIterable {
    case message = "msg"
    case time, level, suppressed
    case address, code, count, delay = "delay_ms", file, hint
    case rights, role, old, generation
    case name, node, peer, pid, reason, rows, session, software, stamp
    case state = "state_dir"
    case status, took = "took_ms", uid, version, winner, loser, sequence, ahead = "ahead_ms"
}

/// What happened: the value of `msg`. Only ever added to; each is rate-limited by itself.
enum LogMessage: String, Sendable, CaseIterable {
    // Life.
    case starting, ready, stopping, stopped, cannotStart = "cannot_start"
    case loading, loaded, storeInterrupted = "store_interrupted", storeSetAside = "store_set_aside"
    case identityCreated = "identity_created", identityRecovered = "identity_recovered"
    case reloading, reloaded, reloadFailed = "reload_failed", reloadNeedsRestart = "reload_needs_restart"
    // Sockets.
    case listening, listenFailed = "listen_failed", acceptPaused = "accept_paused", adopted = "socket_adopted"
    case sessionLimit = "session_limit"
    case connected, disconnected, refused
    // Links.
    case clientReady = "client_ready", linkReady = "link_ready", linkLost = "link_lost", dialFailed = "dial_failed"
    case duplicateIdentity = "duplicate_identity", cursorVoid = "cursor_void"
    // Trust.
    case strangerRefused = "stranger_refused", identityRefused = "identity_refused"
    case securityFailed = "security_failed", roleRefused = "role_refused", roleChanged = "role_changed"
    case userLimit = "user_limit"
    case pairingOffered = "pairing_offered", pairingRefused = "pairing_refused", paired
    case pairingCancelled = "pairing_cancelled"
    case peerRenamed = "peer_renamed", peerRevoked = "peer_revoked", rightsChanged = "rights_changed"
    case keyRotated = "tls_key_made"
    // Records.
    case recordRefused = "record_refused", recordRefusedByPeer = "record_refused_by_peer", clockDrift = "clock_drift"
    case clockAhead = "clock_ahead"
    case mergeConcurrent = "merge_concurrent", stampReused = "stamp_reused"
    // The store.
    case storeFull = "store_full", storeRecovered = "store_recovered", storeFailed = "store_failed"
    case envelopeMissing = "envelope_missing", readFailed = "read_failed"
}
