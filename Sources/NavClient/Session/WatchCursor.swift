// SPDX-License-Identifier: Apache-2.0
import NavSync

/// How far a watch has read, so that it can go on over another connection.
struct WatchCursor {
    private let scope: Scope
    private var incarnation: Incarnation?
    private var sequence = Sequence.zero
    private var mark: Mark?

    init(prefix: [UInt8]) { scope = Scope(prefix: prefix) }

    /// Where the next subscription begins. Without a mark there is no cursor yet: then all is sent, and what is at or
    /// before our sequence is passed over.
    var start: SubscriptionStart {
        guard let incarnation, let mark else { return .beginning }
        return .cursor(Cursor(incarnation: incarnation, sequence: sequence, mark: mark, scope: scope))
    }

    /// Notes the answer to the first subscription.
    mutating func begin(_ incarnation: Incarnation, _ answer: Acknowledge, from start: SubscriptionStart) {
        self.incarnation = incarnation
        sequence = start == .now ? answer.sequence : .zero
        mark = answer.mark
    }

    /// Notes the answer to a later subscription. A cursor that is void, or a store of another life, makes everything
    /// news: better told twice than not at all.
    mutating func resume(_ incarnation: Incarnation, _ answer: Acknowledge) {
        guard self.incarnation != incarnation || answer.isCursorVoid else { return }
        self.incarnation = incarnation
        sequence = .zero
        mark = nil
    }

    /// The records that were not told before. They count as told from now on.
    mutating func news(in records: Records) -> [WireRecord] {
        let known = sequence
        sequence = max(sequence, records.through)
        mark = records.mark
        return records.items.filter { $0.sequence > known }
    }
}
