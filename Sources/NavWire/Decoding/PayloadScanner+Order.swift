// SPDX-License-Identifier: Apache-2.0

/// The order of the members of sets and dictionaries, as in `NativeNode.compare`, but on the tape: a tree of every
/// member would be made again for every set around it.
extension PayloadScanner {
    /// Negative, zero or positive, for two native values by their entries.
    ///
    /// It changes nothing, but is `mutating` to be called by address: else each call would copy the whole scanner. What
    /// needs room is done in functions of its own: here it would lie on the stack once for each level of what is nested.
    mutating func compare(_ a: Int, _ b: Int) -> Int {
        isSameContainer(a, b) ? compareItems(a, b) : compareLeaves(a, b)
    }

    private mutating func compareItems(_ a: Int, _ b: Int) -> Int {
        var (left, right) = (a + 1, b + 1)
        for index in 0..<commonCount(a, b) {
            var order = compareKeys(index, a, b)
            if order == 0 { order = compare(left, right) }
            if order != 0 { return order }
            pass(&left, &right)
        }
        return compareCounts(a, b)
    }

    @inline(never)
    private mutating func isSameContainer(_ a: Int, _ b: Int) -> Bool {
        let kind = unsafe tape.entries[a].kind
        return unsafe kind.isContainer && kind != .urlWithBase && kind == tape.entries[b].kind
    }

    @inline(never)
    private mutating func commonCount(_ a: Int, _ b: Int) -> Int {
        unsafe Int(min(tape.entries[a].length, tape.entries[b].length))
    }

    @inline(never)
    private mutating func compareCounts(_ a: Int, _ b: Int) -> Int {
        unsafe Self.order(tape.entries[a].length, tape.entries[b].length)
    }

    @inline(never)
    private mutating func pass(_ left: inout Int, _ right: inout Int) {
        (left, right) = (tape.next(after: left), tape.next(after: right))
    }

    /// The order of the keys at an index of two objects; those of one shape have the same.
    @inline(never)
    private mutating func compareKeys(_ index: Int, _ a: Int, _ b: Int) -> Int {
        let (lhs, rhs) = unsafe (tape.entries[a], tape.entries[b])
        guard lhs.kind == .object, lhs.shape != rhs.shape else { return 0 }
        return unsafe ByteOrder.compare(key(index, of: lhs), key(index, of: rhs))
    }

    @inline(never)
    private mutating func compareLeaves(_ a: Int, _ b: Int) -> Int {
        let (lhs, rhs) = unsafe (tape.entries[a], tape.entries[b])
        let (rank, otherRank) = (Self.rank(lhs.kind), Self.rank(rhs.kind))
        if rank != otherRank { return rank.rawValue < otherRank.rawValue ? -1 : 1 }
        switch rank {
        case .null: return 0
        case .nestedNull: return Self.order(lhs.length, rhs.length)
        case .integer:
            if lhs.flag != rhs.flag { return lhs.flag == 1 ? -1 : 1 }
            let order = Self.order(magnitude(lhs), magnitude(rhs))
            return lhs.flag == 1 ? -order : order
        case .decimal: return compareDecimals(lhs, rhs)
        case .string: return unsafe ByteOrder.compare(bytes(of: lhs), bytes(of: rhs))
        case .uuid: return Self.order(UInt128(bigEndian: uuidBytes(lhs)), UInt128(bigEndian: uuidBytes(rhs)))
        case .data: return unsafe ByteOrder.compare(payloadBytes(lhs), payloadBytes(rhs))
        case .url: return compareURLs(lhs, rhs)
        case .urlWithBase:
            let order = compareLeaves(a + 1, b + 1)
            return order != 0 ? order : compareLeaves(a + 2, b + 2)
        default: return Self.order(lhs.bits, rhs.bits)
        }
    }

    /// Kinds that are one to the order have one name here.
    private static func rank(_ kind: TapeEntry.Kind) -> TapeEntry.Kind {
        switch kind {
        case .wideInteger: .integer
        case .longDecimal, .decimalNaN, .negativeZero: .decimal
        case .webURL: .url
        default: kind
        }
    }

    private static func order<Value: Comparable>(_ lhs: Value, _ rhs: Value) -> Int {
        lhs == rhs ? 0 : (lhs < rhs ? -1 : 1)
    }

    private func magnitude(_ entry: TapeEntry) -> UInt128 {
        entry.kind == .wideInteger ? wideMagnitude(entry) : UInt128(entry.bits)
    }

    /// Without zeros at their ends, more digits are a greater significand.
    private mutating func compareDecimals(_ lhs: TapeEntry, _ rhs: TapeEntry) -> Int {
        guard lhs.kind == .decimal, rhs.kind == .decimal else {
            return Self.order(lhs.kind == .decimal ? 1 : 0, rhs.kind == .decimal ? 1 : 0)
        }
        if lhs.flag & 1 != rhs.flag & 1 { return lhs.flag & 1 == 1 ? -1 : 1 }
        if lhs.length != rhs.length {
            return Self.order(Int32(bitPattern: lhs.length), Int32(bitPattern: rhs.length))
        }
        return Self.order(significand(lhs), significand(rhs))
    }

    private mutating func compareURLs(_ lhs: TapeEntry, _ rhs: TapeEntry) -> Int {
        if lhs.kind == rhs.kind { return unsafe ByteOrder.compare(payloadBytes(lhs), payloadBytes(rhs)) }
        // The one that is written out does not begin with the prefix of the other.
        let prefix = unsafe UnsafeRawBufferPointer(
            start: Head.webPrefix.utf8Start, count: Head.webPrefix.utf8CodeUnitCount)
        return unsafe lhs.kind == .url
            ? ByteOrder.compare(payloadBytes(lhs), prefix) : ByteOrder.compare(prefix, payloadBytes(rhs))
    }

    private func key(_ index: Int, of object: TapeEntry) -> UnsafeRawBufferPointer {
        unsafe keys.bytes(of: Int(shapeKeys[Int(documentShapes[object.shape].firstKey) + index]))
    }
}
