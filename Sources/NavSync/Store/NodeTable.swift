// SPDX-License-Identifier: Apache-2.0

/// Gives each node id that is in use a small number, from 1 on; 0 is "none".
///
/// Whoever keeps a number says so with `retain` and `release`, so that ids which nothing mentions any more cost nothing:
/// origins are what a peer claims, and there is no end to what it can claim.
struct NodeTable: Sendable {
    private struct Entry {
        var node: NodeID
        var useCount: Int
    }

    private var entries: [Entry] = []
    private var numbers: [NodeID: UInt32] = [:]
    private var free: [UInt32] = []
    private var last: (node: NodeID, number: UInt32)?

    init() {}

    /// Ids that are in use.
    var count: Int { numbers.count }

    /// The id of a number that is in use.
    subscript(number: UInt32) -> NodeID { entries[Int(number) - 1].node }

    /// The number of an id, used once more.
    mutating func retain(_ node: NodeID) -> UInt32 {
        // Runs of one origin are the rule.
        if let last, last.node == node {
            entries[Int(last.number) - 1].useCount += 1
            return last.number
        }
        let number = numbers[node] ?? add(node)
        entries[Int(number) - 1].useCount += 1
        last = (node, number)
        return number
    }

    /// Gives back what `retain` gave.
    mutating func release(_ number: UInt32) {
        guard number > 0 else { return }
        entries[Int(number) - 1].useCount -= 1
        guard entries[Int(number) - 1].useCount == 0 else { return }
        numbers[entries[Int(number) - 1].node] = nil
        free.append(number)
        if last?.number == number { last = nil }
    }

    private mutating func add(_ node: NodeID) -> UInt32 {
        let number: UInt32
        if let reused = free.popLast() {
            number = reused
            entries[Int(number) - 1] = Entry(node: node, useCount: 0)
        } else {
            entries.append(Entry(node: node, useCount: 0))
            number = UInt32(entries.count)
        }
        numbers[node] = number
        return number
    }
}
