// SPDX-License-Identifier: Apache-2.0

/// Why the core refused something: a peer's bytes, a client's request, a record.
///
/// Handle `code`, show `reason`. Only `code` takes part in `==`, so a test names the code and ignores the prose.
/// The codes travel in `error` and `acknowledge` messages and never change their meaning.
package struct SyncError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: UInt16, Hashable, Sendable, CaseIterable {
        // Bytes.
        case frameTooLarge = 1
        case malformedMessage = 2
        case unknownMessage = 3
        case versionMismatch = 4
        case unexpectedMessage = 5
        // Requests.
        case invalidName = 20
        case invalidEnvelope = 21
        case valueTooLarge = 22
        case notFound = 23
        case staleBase = 24
        case limitExceeded = 25
        case invalidNodeID = 26
        case invalidPeerName = 27
        case invalidPeerTable = 28
        case invalidPairingLink = 29
        case unknownDictionary = 30
        // Records.
        case clockDrift = 40
        // Links.
        case duplicateLink = 60
        case selfConnection = 61
        case duplicateIdentity = 62
        case deadlineExceeded = 63
        case draining = 64
        case notPermitted = 65
        case linkUnusable = 66
        case messageUnfinished = 67
        // The store.
        case storeFull = 80
        case storeFailed = 81
    }

    package let code: Code
    package let reason: String

    package init(code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }

    package var description: String { "\(code): \(reason)" }

    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension SyncError {
    @inline(never)
    package static func invalidName(_ reason: String) -> Self { Self(code: .invalidName, reason: reason) }

    @inline(never)
    package static func invalidNodeID(_ reason: String) -> Self { Self(code: .invalidNodeID, reason: reason) }

    @inline(never)
    package static func invalidEnvelope(_ reason: String) -> Self { Self(code: .invalidEnvelope, reason: reason) }

    @inline(never)
    package static func malformed(_ reason: String) -> Self { Self(code: .malformedMessage, reason: reason) }

    @inline(never)
    package static func truncated(needed: Int, remaining: Int) -> Self {
        .malformed("a message ends early: \(needed) bytes needed, \(remaining) remain")
    }

    @inline(never)
    package static func frameTooLarge(_ length: Int, limit: Int) -> Self {
        Self(code: .frameTooLarge, reason: "a frame of \(length) bytes, \(limit) are allowed")
    }

    @inline(never)
    package static func unknownMessage(_ type: UInt8) -> Self {
        Self(code: .unknownMessage, reason: "message type \(type) is not known here")
    }

    @inline(never)
    package static func limitExceeded(_ reason: String) -> Self { Self(code: .limitExceeded, reason: reason) }

    @inline(never)
    package static func notPermitted(_ reason: String) -> Self { Self(code: .notPermitted, reason: reason) }

    @inline(never)
    package static func linkUnusable(_ reason: String) -> Self {
        Self(code: .linkUnusable, reason: "the link could not be used: \(reason)")
    }

    /// The session is ended, since the rest of the message is what it would go on with.
    @inline(never)
    package static func messageUnfinished(_ reason: String) -> Self {
        Self(code: .messageUnfinished, reason: "a message was begun and not finished: \(reason)")
    }

    @inline(never)
    package static func valueTooLarge(_ byteCount: Int, limit: Int) -> Self {
        Self(code: .valueTooLarge, reason: "an envelope of \(byteCount) bytes, \(limit) are allowed")
    }

    package static var noRoomForName: Self { .limitExceeded("no room for another name") }

    package static var draining: Self { Self(code: .draining, reason: "the daemon is stopping") }

    package static var duplicateLink: Self {
        Self(code: .duplicateLink, reason: "another link to the same peer is in use")
    }

    package static var duplicateIdentity: Self {
        Self(code: .duplicateIdentity, reason: "another daemon uses the same identity: one of the two is a copy")
    }
}
