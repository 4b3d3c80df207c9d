// SPDX-License-Identifier: Apache-2.0

/// Slots in the order of their sequences, with those that were superseded left in place until a block has too many.
///
/// A block is packed when three quarters of it are superseded and joined to its neighbour when both are small, so a
/// walk costs O(live rows) and a write O(1), amortised.
struct SequenceOrder: Sendable {
    private static let blockCount = 1024

    /// Up to `blockCount` places: the sequence's distance from `first`, then the slot.
    private struct Block: Sendable {
        var first: UInt64
        var places: [UInt64] = []
        var supersededCount = 0

        func sequence(_ index: Int) -> UInt64 { first + (places[index] >> 32) }
        func slot(_ index: Int) -> Int { Int(UInt32(truncatingIfNeeded: places[index])) }
    }

    private var blocks: [Block] = []

    init() {}

    /// Adds a slot under a sequence greater than all before.
    mutating func append(_ sequence: UInt64, slot: Int) {
        let last = blocks.count - 1
        if last < 0 || blocks[last].places.count >= Self.blockCount
            || sequence - blocks[last].first > UInt64(UInt32.max)
        {
            var block = Block(first: sequence)
            block.places.reserveCapacity(Self.blockCount)
            block.places.append(UInt64(slot))
            blocks.append(block)
        } else {
            blocks[last].places.append((sequence - blocks[last].first) << 32 | UInt64(slot))
        }
    }

    /// Notes that the slot under `sequence` has a later one. `isLive` must already say so.
    mutating func supersede(_ sequence: UInt64, isLive: (_ sequence: UInt64, _ slot: Int) -> Bool) {
        let index = blockIndex(of: sequence)
        guard index >= 0 else { return }
        blocks[index].supersededCount += 1
        let count = blocks[index].places.count
        // The last block still grows.
        guard index < blocks.count - 1, blocks[index].supersededCount * 4 >= count * 3 else { return }
        if blocks[index].supersededCount >= count {
            blocks.remove(at: index)
        } else {
            pack(index, isLive: isLive)
        }
    }

    /// Visits sequences above `sequence` in order, superseded ones too, until `visit` returns false.
    func walk(after sequence: UInt64, _ visit: (_ sequence: UInt64, _ slot: Int) -> Bool) {
        var blockIndex = max(0, blockIndex(of: sequence))
        var index = blockIndex < blocks.count ? Self.firstIndex(above: sequence, in: blocks[blockIndex]) : 0
        while blockIndex < blocks.count {
            while index < blocks[blockIndex].places.count {
                guard visit(blocks[blockIndex].sequence(index), blocks[blockIndex].slot(index)) else { return }
                index += 1
            }
            blockIndex += 1
            index = 0
        }
    }

    /// The last block that starts at or below `sequence`; -1 when there is none.
    private func blockIndex(of sequence: UInt64) -> Int {
        var low = 0
        var high = blocks.count
        while low < high {
            let middle = (low + high) / 2
            if blocks[middle].first <= sequence { low = middle + 1 } else { high = middle }
        }
        return low - 1
    }

    private static func firstIndex(above sequence: UInt64, in block: Block) -> Int {
        var low = 0
        var high = block.places.count
        while low < high {
            let middle = (low + high) / 2
            if block.sequence(middle) <= sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func pack(_ index: Int, isLive: (UInt64, Int) -> Bool) {
        let first = blocks[index].first
        blocks[index].places.removeAll { place in
            !isLive(first + (place >> 32), Int(UInt32(truncatingIfNeeded: place)))
        }
        blocks[index].supersededCount = 0
        guard index > 0, blocks[index - 1].places.count + blocks[index].places.count <= Self.blockCount / 2,
            let last = blocks[index].places.last, first + (last >> 32) - blocks[index - 1].first <= UInt64(UInt32.max)
        else { return }
        let shift = (first - blocks[index - 1].first) << 32
        blocks[index - 1].places += blocks[index].places.map { $0 + shift }
        blocks.remove(at: index)
    }
}
