// SPDX-License-Identifier: Apache-2.0
import NavPosix
import NavSync

/// A request to pair by a link: who asked, what the peer will get, and how far we are.
///
/// Its time is shared among the link's addresses, so that none that is silent hides those after it, and the answer comes
/// while somebody waits for it.
final class PairingCall {
    let session: SessionID
    let request: RequestID
    let link: PairingLink
    let rights: Rights
    let peerName: PeerName?
    /// On the monotonic clock: when it is answered at the latest.
    private let deadline: UInt64
    /// Addresses of the link that were not tried yet.
    private var remaining: [PairingLink.Address]
    /// When the address that is tried now must have answered.
    private(set) var attemptDeadline: UInt64 = 0
    private(set) var lastFailure: String?
    /// What is known of this attempt's failure before its connection is closed.
    private var attemptFailure: String?
    var dialer: Dialer?
    /// The connection to the address that is tried.
    var connection: SessionID?
    /// It was answered, or nobody waits for the answer.
    var isOver = false

    init(
        session: SessionID, request: RequestID, link: PairingLink, rights: Rights, peerName: PeerName?,
        deadline: UInt64
    ) {
        self.session = session
        self.request = request
        self.link = link
        self.rights = rights
        self.peerName = peerName
        self.deadline = deadline
        remaining = link.addresses
    }

    /// The next address to try, with its share of the time that is left; nil with no address or no time left.
    func nextAddress(at nanoseconds: UInt64) -> PairingLink.Address? {
        guard !remaining.isEmpty, nanoseconds < deadline else { return nil }
        attemptDeadline = nanoseconds + (deadline - nanoseconds) / UInt64(remaining.count)
        return remaining.removeFirst()
    }

    /// Why the connection of this attempt is about to be closed.
    func refused(_ reason: String, isFinal: Bool) {
        attemptFailure = attemptFailure ?? reason
        if isFinal { remaining = [] }
    }

    /// The attempt is over; `reason` counts if nothing better is known.
    func attemptFailed(_ reason: String) {
        lastFailure = attemptFailure ?? reason
        attemptFailure = nil
        connection = nil
    }
}
