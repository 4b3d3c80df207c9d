// SPDX-License-Identifier: Apache-2.0

/// What a peer may do over its link. The default is nothing.
package struct Rights: Hashable, Sendable {
    /// What is sent to the peer.
    package var read: PrefixSet
    /// What is accepted from the peer.
    package var write: PrefixSet
    /// The most live stacks that records received from the peer may make here; nil for no limit of its own.
    package var maximumStackCount: Int?
    /// The most envelope bytes that records received from the peer may keep live here; nil for no limit of its own.
    package var maximumByteCount: Int?

    package static let none = Rights(read: .none, write: .none)
    package static let all = Rights(read: .all, write: .all)

    package init(
        read: PrefixSet, write: PrefixSet, maximumStackCount: Int? = nil, maximumByteCount: Int? = nil
    ) {
        self.read = read
        self.write = write
        self.maximumStackCount = maximumStackCount
        self.maximumByteCount = maximumByteCount
    }
}
