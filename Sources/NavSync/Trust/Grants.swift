// SPDX-License-Identifier: Apache-2.0

/// Digests of what one side of a link lets the other do; exchanged in hello.
///
/// They say nothing about the prefixes and decide nothing about rights: they only show that rights have changed since a
/// cursor was written. A peer that lies about them hurts what it is sent itself.
package struct Grants: Hashable, Sendable {
    /// Of what the sender of the hello lets the other side read.
    package let read: UInt64
    /// Of what it lets the other side write, limits included.
    package let write: UInt64

    package static let none = Grants(.none)

    package init(read: UInt64, write: UInt64) {
        self.read = read
        self.write = write
    }

    package init(_ rights: Rights) {
        var read = StableDigest()
        read.add(rights.read)
        var write = StableDigest()
        write.add(rights.write)
        write.add(rights.maximumStackCount)
        write.add(rights.maximumByteCount)
        self.init(read: read.value, write: write.value)
    }
}

extension Scope {
    /// The scope of records that go from `sender` to `receiver`: what the one shows and what the other takes.
    package init(sender: Grants, receiver: Grants) {
        var digest = StableDigest()
        digest.add(sender.read)
        digest.add(receiver.write)
        self.init(rawValue: digest.value)
    }
}

/// FNV-1a: the same in every process and release, which cursors on disk need.
private struct StableDigest {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

    mutating func add(_ number: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) { add(UInt8(truncatingIfNeeded: number >> UInt64(shift))) }
    }

    mutating func add(_ number: Int?) {
        add(UInt8(number == nil ? 0 : 1))
        if let number { add(UInt64(bitPattern: Int64(number))) }
    }

    mutating func add(_ set: PrefixSet) {
        add(UInt8(set.coversAll ? 1 : 0))
        for prefix in set.prefixes {
            add(UInt64(prefix.count))
            for byte in prefix { add(byte) }
        }
    }
}
