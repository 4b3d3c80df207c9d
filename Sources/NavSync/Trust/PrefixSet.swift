// SPDX-License-Identifier: Apache-2.0

/// The stack names that somebody may read or write: those that begin with one of the prefixes, as bytes.
///
/// No prefix means no name. Every name is its own case, so that an empty prefix, which a slip of a pen can make, is
/// never a right.
package struct PrefixSet: Hashable, Sendable {
    /// Whether every name is in the set.
    package let coversAll: Bool
    /// In byte order, none a prefix of another; empty when `coversAll`.
    package let prefixes: [[UInt8]]

    package static let none = PrefixSet(coversAll: false, prefixes: [])
    package static let all = PrefixSet(coversAll: true, prefixes: [])

    package static let maximumCount = 256

    private init(coversAll: Bool, prefixes: [[UInt8]]) {
        self.coversAll = coversAll
        self.prefixes = prefixes
    }

    /// Checks each prefix against the grammar of names and drops those that another one includes.
    package init(_ prefixes: [[UInt8]]) throws(SyncError) {
        guard prefixes.count <= Self.maximumCount else {
            throw SyncError(
                code: .limitExceeded, reason: "\(prefixes.count) prefixes, \(Self.maximumCount) are allowed")
        }
        var kept: [[UInt8]] = []
        for prefix in prefixes.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            _ = try StackName(validating: prefix)
            // In byte order a shorter prefix comes right before what it includes.
            if let last = kept.last, prefix.starts(with: last) { continue }
            kept.append(prefix)
        }
        self.init(coversAll: false, prefixes: kept)
    }

    package var isEmpty: Bool { !coversAll && prefixes.isEmpty }

    package func contains(_ name: StackName) -> Bool { contains(name.bytes) }

    /// The same for the bytes of a name.
    package func contains(_ name: some Collection<UInt8>) -> Bool {
        coversAll || prefixes.contains { name.starts(with: $0) }
    }
}
