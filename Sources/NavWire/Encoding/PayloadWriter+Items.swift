// SPDX-License-Identifier: Apache-2.0

extension PayloadWriter {
    /// Ends an array, a map, a set or a dictionary in pairs.
    mutating func endItems() {
        depth -= 1
        let frame = unsafe frames[depth]
        let count = Int(frame.count)
        let start = Int(frame.start)
        valueCount += count
        switch frame.kind {
        case .object: break
        case .array: endArray(start, count, uniform: frame.uniform)
        case .map: patch(start, Head.map, UInt64(truncatingIfNeeded: count / 2))
        case .pairs: patchRare(start, Head.Rare.pairs, count / 2)
        case .set: patchRare(start, Head.Rare.set, count)
        }
        returnToTop()
        if isFaulty { token = NoHandle.faulty }
    }

    private mutating func patchRare(_ start: Int, _ code: UInt8, _ count: Int) {
        patch(start, Head.rare, UInt64(code))
        let number = UInt64(truncatingIfNeeded: count)
        structure.insert(Varint.byteCount(number), at: start + 2)
        structure.setVarint(number, at: start + 2)
    }

    @inline(__always)
    private mutating func endArray(_ start: Int, _ count: Int, uniform: UInt16) {
        if count >= Head.shortestRun, uniform < 0x100, packRun(start, count, UInt8(truncatingIfNeeded: uniform)) {
            return
        }
        if count < Head.inlineItems {
            structure.setByte(Head.array + UInt8(truncatingIfNeeded: count), at: start)
        } else {
            patch(start, Head.longArray, UInt64(truncatingIfNeeded: count - Head.inlineItems))
        }
    }

    /// Turns items with one and the same head into a run; false when they cannot be one.
    @inline(never)
    private mutating func packRun(_ start: Int, _ count: Int, _ head: UInt8) -> Bool {
        if head == Head.no {
            guard count >= Head.shortestBits else { return false }
            guard start + 1 + count == structure.count else { return refuseItems() }
            packBits(start, count)
            return true
        }
        guard Head.isRunnable(head) else { return false }
        var target = start + 1
        var source = start + 1
        for _ in 0..<count {
            let length = bodyByteCount(head, at: source + 1)
            guard source + 1 + length <= structure.count, structure.byte(at: source) == head else {
                return refuseItems()
            }
            source += 1
            for offset in 0..<length { structure.setByte(structure.byte(at: source + offset), at: target + offset) }
            source += length
            target += length
        }
        guard source == structure.count else { return refuseItems() }
        structure.truncate(to: target)
        let number = UInt64(truncatingIfNeeded: count - Head.shortestRun)
        patch(start, Head.run, number)
        let place = start + 1 + Varint.byteCount(number)
        structure.insert(1, at: place)
        structure.setByte(head, at: place)
        return true
    }

    /// Something else than the items was written between them, by a type that writes itself: nothing may be read or moved
    /// by what was counted.
    @inline(never)
    private mutating func refuseItems() -> Bool {
        _ = refuse("the items of an array are not what was counted")
        return true
    }

    private mutating func packBits(_ start: Int, _ count: Int) {
        let byteCount = (count + 7) / 8
        for index in 0..<byteCount {
            var byte: UInt8 = 0
            for bit in 0..<min(8, count - index * 8)
            where structure.byte(at: start + 1 + index * 8 + bit) == Head.yes {
                byte |= 1 << UInt8(truncatingIfNeeded: bit)
            }
            structure.setByte(byte, at: start + 1 + index)
        }
        structure.truncate(to: start + 1 + byteCount)
        patch(start, Head.bits, UInt64(truncatingIfNeeded: count - Head.shortestBits))
    }

    /// The bytes that follow a runnable head in the structure, read at `offset`.
    private func bodyByteCount(_ head: UInt8, at offset: Int) -> Int {
        switch head {
        case Head.integer1, Head.negative1: 1
        case Head.integer2: 2
        case Head.integer3: 3
        case Head.integer4, Head.negative4: 4
        case Head.milliseconds: 5
        case Head.integer6: 6
        case Head.integer8, Head.negative8: 8
        case Head.whole, Head.tenths, Head.hundredths:
            1 + (0..<min(10, max(0, structure.count - offset))).prefix { structure.byte(at: offset + $0) >= 0x80 }.count
        default: 0
        }
    }
}
