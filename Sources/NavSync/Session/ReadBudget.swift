// SPDX-License-Identifier: Apache-2.0

/// How many bytes may be read from one peer, or from one local user, over time.
///
/// Kept as the moment through which everything that was read is paid for. Bytes are counted when they are there, so it
/// may lie ahead: nothing is read until then. What was not used is saved for a second at most.
struct ReadBudget: Hashable, Sendable {
    private(set) var paidThrough: UInt64 = 0

    private static let savedNanoseconds: UInt64 = 1_000_000_000

    /// Counts bytes that were read, at `rate` bytes a second.
    mutating func spend(_ byteCount: Int, rate: Int, at now: UInt64) {
        let (scaled, overflow) = UInt64(clamping: byteCount).multipliedReportingOverflow(by: 1_000_000_000)
        let price = (overflow ? .max : scaled) / UInt64(max(1, rate))
        let earliest = now - min(now, Self.savedNanoseconds)
        paidThrough = max(paidThrough, earliest).advanced(byNanoseconds: price)
    }
}
