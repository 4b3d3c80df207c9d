// SPDX-License-Identifier: Apache-2.0

/// Who waits for a batch to become durable.
enum Waiter: Sendable {
    /// A client's write: the row at this place of the batch.
    case write(SessionHandle, RequestID, row: Int)
    /// A peer's records, of that subscription, up to that sequence.
    case records(SessionHandle, RequestID, through: Sequence)
}

/// Rows that are not durable yet, and who waits for them.
struct Batch: Sendable {
    var commit: CommitBatch
    /// The slot of each row.
    var slots: [Int] = []
    var waiters: [Waiter] = []
    var byteCount = 0
    /// Refusals in the making; they are given to the commit when it starts.
    var refusals: RefusalBook
    /// Its cursors have waited long enough.
    var savesCursors = false

    init(mark: Mark, refusalLimit: Int) {
        commit = CommitBatch(mark: mark)
        refusals = RefusalBook(limit: refusalLimit)
    }

    /// Whether somebody waits for it, or it holds what must not wait. Cursors alone can wait.
    var isUrgent: Bool {
        !commit.rows.isEmpty || !waiters.isEmpty || !refusals.isEmpty || !commit.settledRefusals.isEmpty
            || savesCursors
    }

    mutating func append(_ row: Row, slot: Int) {
        commit.rows.append(row)
        slots.append(slot)
        if case .envelope(let envelope, _) = row.record.content { byteCount += envelope.count }
    }

    /// What a local program waits to have removed; nil when it waits for something else.
    func nameRemoved(by waiter: Waiter) -> StackName? {
        guard case .write(_, _, let number) = waiter, commit.rows[number].record.isTombstone else { return nil }
        return commit.rows[number].record.name
    }

    /// Removals by local programs, in their order.
    var removals: [(StackName, Waiter)] {
        waiters.compactMap { waiter in nameRemoved(by: waiter).map { ($0, waiter) } }
    }

    /// The row at `sequence` if it is in this batch. A batch's sequences have no gaps.
    func row(at sequence: UInt64) -> Row? {
        guard let first = commit.rows.first?.sequence.rawValue, sequence >= first,
            sequence - first < UInt64(commit.rows.count)
        else { return nil }
        return commit.rows[Int(sequence - first)]
    }
}
