// SPDX-License-Identifier: Apache-2.0

/// What a connection runs over.
package enum Transport: UInt8, Hashable, Sendable {
    case unix = 1
    case tcp = 2
}

/// What the kernel says about the other end of a Unix socket.
package struct Credentials: Hashable, Sendable {
    package let processID: Int32
    package let userID: UInt32
    package let groupID: UInt32

    package init(processID: Int32, userID: UInt32, groupID: UInt32) {
        self.processID = processID
        self.userID = userID
        self.groupID = groupID
    }
}

/// Who opened a connection.
package enum ConnectionOrigin: Hashable, Sendable {
    /// The other end dialled us.
    case accepted(Transport, Credentials?)
    /// We dialled this peer, because of a `dial` action.
    case dialled(TargetPlace)
}
