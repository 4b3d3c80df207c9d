// SPDX-License-Identifier: Apache-2.0

/// The marks of the latest commits, by which a cursor proves that it has seen this very store.
struct MarkRing: Sendable {
    /// The last sequence of a commit, and its mark; oldest first.
    private var entries: [(sequence: Sequence, mark: Mark)]
    private let limit: Int

    init(_ entries: [(sequence: Sequence, mark: Mark)], limit: Int) {
        self.entries = entries
        self.limit = limit
    }

    var last: Sequence { entries.last?.sequence ?? .zero }

    mutating func append(_ sequence: Sequence, _ mark: Mark) {
        entries.append((sequence, mark))
        if entries.count >= 2 * limit { entries.removeFirst(entries.count - limit) }
    }

    /// The mark of the commit that holds `sequence`; nil when it is not remembered.
    func mark(holding sequence: Sequence) -> Mark? {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].sequence < sequence { low = middle + 1 } else { high = middle }
        }
        return low < entries.count ? entries[low].mark : nil
    }

    /// Whether a reader at this place has seen the commit that stands there now.
    ///
    /// Everything before the oldest entry is unknown, except for the very beginning.
    func knows(_ sequence: Sequence, _ mark: Mark) -> Bool {
        sequence == .zero || self.mark(holding: sequence) == mark
    }
}
