// SPDX-License-Identifier: Apache-2.0

/// Who speaks a session's other end.
package enum Role: UInt8, Hashable, Sendable {
    /// A program that pushes, pulls and watches.
    case client = 1
    /// Another replica.
    case peer = 2
}

/// The first message of both sides. Whoever dialled says it first; the other answers with its own.
package struct Hello: WireMessage {
    package static let type = MessageType.hello
    /// The protocol versions that this build speaks.
    package static let supportedVersions: ClosedRange<UInt64> = 1...1
    private static let grantsTag: UInt64 = 1

    /// The lowest and the greatest protocol version that the sender speaks.
    package var versions: ClosedRange<UInt64>
    package var role: Role
    /// Bits that name what the sender can do beyond its version; unknown ones are ignored.
    package var capabilities: UInt64
    /// Zero for a client.
    package var node: NodeID
    package var incarnation: Incarnation
    /// Counts the starts of the sender's store: tells a restart from a copy.
    package var startCounter: UInt64
    /// Random for each process: the same node with another nonce is another process.
    package var nonce: UInt64
    package var wallMilliseconds: UInt64
    package var isSynchronised: Bool
    /// The sender's floor: no stamp of its own will be at or below it.
    package var floor: HybridTime
    /// Name and version of the program.
    package var software: String
    /// What the sender lets the other side do; nil from a client.
    package var grants: Grants?

    package init(
        versions: ClosedRange<UInt64> = Hello.supportedVersions, role: Role, capabilities: UInt64 = 0, node: NodeID,
        incarnation: Incarnation, startCounter: UInt64, nonce: UInt64, wallMilliseconds: UInt64, isSynchronised: Bool,
        floor: HybridTime, software: String, grants: Grants? = nil
    ) {
        self.versions = versions
        self.role = role
        self.capabilities = capabilities
        self.node = node
        self.incarnation = incarnation
        self.startCounter = startCounter
        self.nonce = nonce
        self.wallMilliseconds = wallMilliseconds
        self.isSynchronised = isSynchronised
        self.floor = floor
        self.software = software
        self.grants = grants
    }

    /// What a client says.
    package static func client(software: String, nonce: UInt64 = 0) -> Hello {
        Hello(
            role: .client, node: NodeID(high: 0, low: 0), incarnation: Incarnation(rawValue: 0), startCounter: 0,
            nonce: nonce, wallMilliseconds: 0, isSynchronised: false, floor: .zero, software: software)
    }

    package func writePayload(to bytes: inout [UInt8]) {
        bytes.appendVarint(versions.lowerBound)
        bytes.appendVarint(versions.upperBound)
        bytes.append(role.rawValue)
        bytes.appendVarint(capabilities)
        bytes.appendNodeID(node)
        bytes.appendUInt64(incarnation.rawValue)
        bytes.appendVarint(startCounter)
        bytes.appendUInt64(nonce)
        bytes.appendVarint(wallMilliseconds)
        bytes.appendFlag(isSynchronised)
        bytes.appendUInt64(floor.rawValue)
        bytes.appendText(software)
        guard let grants else { return }
        bytes.appendVarint(Self.grantsTag)
        bytes.appendVarint(16)
        bytes.appendUInt64(grants.read)
        bytes.appendUInt64(grants.write)
    }

    package init(reading reader: inout ByteReader) throws(SyncError) {
        let low = try reader.readVarint()
        let high = try reader.readVarint()
        guard low <= high else { throw .malformed("protocol versions \(low) to \(high)") }
        versions = low...high
        // What follows may have changed in a version that is not spoken here: say that, not "malformed".
        guard versions.overlaps(Hello.supportedVersions) else { throw .versionMismatch(theirs: versions) }
        guard let role = Role(rawValue: try reader.readByte()) else { throw .malformed("a role that is not known") }
        self.role = role
        capabilities = try reader.readVarint()
        node = try reader.readNodeID()
        incarnation = Incarnation(rawValue: try reader.readUInt64())
        startCounter = try reader.readVarint()
        nonce = try reader.readUInt64()
        wallMilliseconds = try reader.readVarint()
        isSynchronised = try reader.readFlag()
        floor = HybridTime(rawValue: try reader.readUInt64())
        software = try reader.readText()
        grants = nil
        var last: UInt64 = 0
        while var field = try reader.readOptionalField(after: &last) {
            guard field.tag == Self.grantsTag else { continue }
            grants = Grants(read: try field.value.readUInt64(), write: try field.value.readUInt64())
            try field.value.finish()
        }
    }
}

extension SyncError {
    @inline(never)
    package static func versionMismatch(theirs: ClosedRange<UInt64>) -> Self {
        let ours = Hello.supportedVersions
        return Self(
            code: .versionMismatch,
            reason: "protocol \(theirs.lowerBound) to \(theirs.upperBound) is spoken there,"
                + " \(ours.lowerBound) to \(ours.upperBound) here")
    }
}
