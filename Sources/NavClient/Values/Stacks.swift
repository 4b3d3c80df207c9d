// SPDX-License-Identifier: Apache-2.0
public import NavWire

/// One stack, without its path.
public struct StackSummary: Hashable, Sendable {
    public let name: String
    public let stamp: StackStamp
    /// Bytes of its envelope.
    public let byteCount: Int
}

/// One stack with its path, as it was encoded.
public struct PulledStack: Hashable, Sendable {
    public let name: String
    public let stamp: StackStamp
    /// The path in NavWire's form: header, payload, checksum.
    public let envelope: [UInt8]

    /// The path, root-most element first. Checks every byte.
    public func elements() throws(NavClientError) -> [PathElement] { try storedElements(envelope) }
}

/// What a write found out.
public struct WriteReceipt: Hashable, Sendable {
    public let name: String
    /// The stamp that the write got. It is on the daemon's disk.
    public let stamp: StackStamp
}

/// What a write wants to find, or else not happen.
public enum ExpectedStack: Hashable, Sendable {
    /// Whatever is there: the last writer wins.
    case anything
    /// No stack of that name.
    case absent
    /// The stack as it was written then.
    case stamp(StackStamp)
}

/// One change that a watcher sees: the newest state of a stack, never a backlog of old ones.
public struct StackChange: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// The stack was written; its envelope.
        case written([UInt8])
        case removed
    }

    public let name: String
    public let stamp: StackStamp
    public let kind: Kind

    /// The path that was written, root-most element first; nil when the stack was removed. Checks every byte.
    public func elements() throws(NavClientError) -> [PathElement]? {
        guard case .written(let envelope) = kind else { return nil }
        return try storedElements(envelope)
    }
}

private func storedElements(_ envelope: [UInt8]) throws(NavClientError) -> [PathElement] {
    do throws(NavWireError) {
        return try PathEnvelope.decode(envelope)
    } catch {
        throw NavClientError(code: .invalidPath, reason: "the stored path cannot be read: \(error.reason)")
    }
}

/// One fact of a daemon about itself: a dotted key and a text.
public struct StatusFact: Hashable, Sendable {
    public let key: String
    public let value: String

    package init(key: String, value: String) {
        self.key = key
        self.value = value
    }
}
