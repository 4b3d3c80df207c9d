// SPDX-License-Identifier: Apache-2.0

/// Gives each node id a small number, from 1 on.
struct NodeTable: Sendable {
    private var nodes: [NodeID] = []
    private var numbers: [NodeID: UInt32] = [:]
    private var last: (node: NodeID, number: UInt32)?

    init() {}

    subscript(number: UInt32) -> NodeID { nodes[Int(number) - 1] }

    mutating func number(of node: NodeID) -> UInt32 {
        // Runs of one origin are the rule.
        if let last, last.node == node { return last.number }
        let number: UInt32
        if let known = numbers[node] {
            number = known
        } else {
            nodes.append(node)
            number = UInt32(nodes.count)
            numbers[node] = number
        }
        last = (node, number)
        return number
    }
}
