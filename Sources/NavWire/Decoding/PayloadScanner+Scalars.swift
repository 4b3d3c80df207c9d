// SPDX-License-Identifier: Apache-2.0

extension PayloadScanner {
    /// What follows a head that can also stand in a run.
    @inline(__always)
    mutating func readBody(_ head: UInt8) throws(NavWireError) {
        typealias Start = Head.IntegerStart
        switch head {
        case Head.integer1: try readInteger(1, from: Start.one)
        case Head.integer2: try readInteger(2, from: Start.two)
        case Head.integer3: try readInteger(3, from: Start.three)
        case Head.integer4: try readInteger(4, from: Start.four)
        case Head.integer6: try readInteger(6, from: Start.six)
        case Head.integer8: try readWhole(isNegative: false, atLeast: Start.eight)
        case Head.negative1: try readInteger(1, from: 0, isNegative: true)
        case Head.negative4: try readInteger(4, from: Start.negativeFour, isNegative: true)
        case Head.negative8: try readWhole(isNegative: true, atLeast: Start.negativeEight)
        case Head.tenths, Head.hundredths: try readScaled(head)
        default:
            if isImported { throw .malformed("a native scalar in an imported value", at: at) }
            try readNativeBody(head)
        }
    }

    private mutating func readNativeBody(_ head: UInt8) throws(NavWireError) {
        switch head {
        case Head.integer16, Head.negative16: try readWideInteger(isNegative: head == Head.negative16)
        case Head.whole: try readScaled(head)
        case Head.double: try readDouble()
        case Head.float:
            let offset = try takeFixed(4, "a float")
            let bits = unsafe UInt32(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            tape.append(TapeEntry(kind: .float, bits: UInt64(bits)))
        case Head.uuid:
            let offset = try takeFixed(16, "a UUID")
            tape.append(TapeEntry(kind: .uuid, bits: UInt64(truncatingIfNeeded: offset)))
        case Head.milliseconds:
            tape.append(TapeEntry(kind: .date, bits: ScaledDouble.seconds(try readLittleEndian(5)).bitPattern))
        default:
            let bits = try readFixedWord("a date")
            guard ScaledDouble.milliseconds(Double(bitPattern: bits)) == nil else {
                throw .malformed("a date that has a shorter form", at: at)
            }
            tape.append(TapeEntry(kind: .date, bits: bits))
        }
    }

    private mutating func readDouble() throws(NavWireError) {
        let bits = try readFixedWord("a double")
        guard ScaledDouble.short(Double(bitPattern: bits)) == nil else {
            throw .malformed("a double that has a shorter form", at: at)
        }
        tape.append(TapeEntry(kind: .double, bits: bits))
    }

    private mutating func readFixedWord(_ what: StaticString) throws(NavWireError) -> UInt64 {
        let offset = try takeFixed(8, what)
        return unsafe UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    @inline(__always)
    private mutating func readLittleEndian(_ byteCount: Int) throws(NavWireError) -> UInt64 {
        guard byteCount <= fixedStart - at else { throw .truncated("a number", at: fixedStart) }
        let place = at
        at += byteCount
        if fixedStart - place >= 8 {
            let word = unsafe UInt64(littleEndian: start.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            return word & .max >> UInt64(64 - 8 * byteCount)
        }
        var value: UInt64 = 0
        for index in 0..<byteCount {
            unsafe value |= UInt64(start.load(fromByteOffset: place + index, as: UInt8.self)) << UInt64(8 * index)
        }
        return value
    }

    @inline(__always)
    private mutating func readInteger(
        _ byteCount: Int, from first: UInt64, isNegative: Bool = false
    ) throws(NavWireError) {
        let value = try readLittleEndian(byteCount)
        tape.append(TapeEntry(kind: .integer, flag: isNegative ? 1 : 0, bits: first + value))
    }

    private mutating func readWhole(isNegative: Bool, atLeast first: UInt64) throws(NavWireError) {
        let value = try readLittleEndian(8)
        guard value >= first else { throw .malformed("an integer that has a shorter form", at: at) }
        // -2^64, whose magnitude has no integer head where numbers are decimals.
        if isImported, isNegative, value == .max { throw .malformed("a number that has another form", at: at) }
        tape.append(TapeEntry(kind: .integer, flag: isNegative ? 1 : 0, bits: value))
    }

    private mutating func readWideInteger(isNegative: Bool) throws(NavWireError) {
        let offset = try takeFixed(16, "an integer")
        guard unsafe start.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self) != 0 else {
            throw .malformed("an integer that has a shorter form", at: offset)
        }
        tape.append(
            TapeEntry(kind: .wideInteger, flag: isNegative ? 1 : 0, bits: UInt64(truncatingIfNeeded: offset)))
    }

    /// Native: a double. Imported: tenths or hundredths, not a multiple of ten of them.
    private mutating func readScaled(_ head: UInt8) throws(NavWireError) {
        let place = at
        let number = Varint.zagZig(try readVarint("a number"))
        if isImported {
            guard number % 10 != 0, number.magnitude <= Head.maximumScaled else {
                throw .malformed("a number that has another form", at: place)
            }
            return appendDecimal(
                isNegative: number < 0, exponent: head == Head.tenths ? -1 : -2, significandAt: place,
                isZigZag: true)
        }
        guard let value = ScaledDouble.value(head: head, number: number) else {
            throw .malformed("a double that has another form", at: place)
        }
        tape.append(TapeEntry(kind: .double, bits: value.bitPattern))
    }

    /// `flag`: bit 0 negative, bit 1 when the significand is zig-zag with the sign in it.
    private mutating func appendDecimal(isNegative: Bool, exponent: Int, significandAt place: Int, isZigZag: Bool) {
        tape.append(
            TapeEntry(
                kind: .decimal, flag: (isNegative ? 1 : 0) | (isZigZag ? 2 : 0),
                length: UInt32(bitPattern: Int32(truncatingIfNeeded: exponent)),
                bits: UInt64(truncatingIfNeeded: place)))
    }

    // MARK: Runs

    mutating func readRun() throws(NavWireError) {
        let place = at
        let count = try readCount("the count of a run") + Head.shortestRun
        let head = try readByte("the head of a run")
        guard Head.isRunnable(head), head != Head.no, head != Head.yes else {
            throw .malformed("0x\(String(head, radix: 16)) cannot stand in a run", at: place)
        }
        try beginPacked(count, byteCount: count)
        for _ in 0..<count { try readBody(head) }
        endPacked(count)
    }

    mutating func readBits() throws(NavWireError) {
        let count = try readCount("the count of a run") + Head.shortestBits
        let byteCount = (count + 7) / 8
        try beginPacked(count, byteCount: byteCount)
        guard byteCount <= fixedStart - at else { throw .truncated("a run", at: fixedStart) }
        for index in 0..<count {
            let byte = unsafe start.load(fromByteOffset: at + index >> 3, as: UInt8.self)
            tape.append(TapeEntry(kind: .bool, bits: UInt64(byte >> UInt8(truncatingIfNeeded: index & 7) & 1)))
        }
        let last = unsafe start.load(fromByteOffset: at + byteCount - 1, as: UInt8.self)
        if count & 7 != 0, last >> UInt8(truncatingIfNeeded: count & 7) != 0 {
            throw .malformed("bits are set behind the last one of a run", at: at + byteCount - 1)
        }
        at += byteCount
        endPacked(count)
    }

    /// A run is an array that opens no frame.
    private mutating func beginPacked(_ count: Int, byteCount: Int) throws(NavWireError) {
        guard byteCount <= fixedStart - at else { throw .truncated("a run of \(count) values", at: fixedStart) }
        if depth >= limits.maximumDepth { throw .tooDeep(limit: limits.maximumDepth) }
        valueCount += count
        try checkValueCount()
        tape.append(TapeEntry(kind: .array, length: UInt32(truncatingIfNeeded: count)))
    }

    private mutating func endPacked(_ count: Int) {
        unsafe tape.entries[tape.count - count - 1].bits = UInt64(truncatingIfNeeded: tape.count)
    }

    // MARK: The rest

    mutating func readData() throws(NavWireError) {
        if isImported { throw .malformed("a native value in an imported one", at: at - 1) }
        let byteCount = try readCount("the length of data")
        let offset = try takeFixed(byteCount, "data")
        tape.append(
            TapeEntry(
                kind: .data, length: UInt32(truncatingIfNeeded: byteCount), bits: UInt64(truncatingIfNeeded: offset)))
    }

    /// Whether a container was begun and left open.
    mutating func readRare() throws(NavWireError) -> Bool {
        let place = at
        let code = try readByte("a value")
        if isImported, code != Head.Rare.decimal, code != Head.Rare.longDecimal, code != Head.Rare.negativeZero {
            throw .malformed("a native value in an imported one", at: place)
        }
        switch code {
        case Head.Rare.half:
            let offset = try takeFixed(2, "a half float")
            let bits = unsafe UInt16(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
            tape.append(TapeEntry(kind: .half, bits: UInt64(bits)))
        case Head.Rare.url: try readURL(.url)
        case Head.Rare.urlWithBase: try readURLWithBase()
        case Head.Rare.decimal: try readDecimal()
        case Head.Rare.longDecimal where isImported: try readLongDecimal()
        case Head.Rare.decimalNaN: tape.append(TapeEntry(kind: .decimalNaN))
        case Head.Rare.negativeZero where isImported: tape.append(TapeEntry(kind: .negativeZero))
        case Head.Rare.nestedNull:
            let depth = try readCount("the depth of a nil")
            guard depth < 255 else { throw .malformed("a nil inside \(depth + 1) optionals", at: place) }
            tape.append(TapeEntry(kind: .nestedNull, length: UInt32(truncatingIfNeeded: depth + 1)))
        case Head.Rare.pairs: return try beginNative(.pairs, count: 2 * (try readCount("the count of a dictionary")))
        case Head.Rare.set: return try beginNative(.set, count: try readCount("the count of a set"))
        default: throw .malformed("0xFE 0x\(String(code, radix: 16)) is no head", at: place)
        }
        return false
    }

    private mutating func readExponent() throws(NavWireError) -> (isNegative: Bool, exponent: Int) {
        let place = at
        let packed = try readVarint("an exponent")
        let exponent = Varint.zagZig(packed >> 1)
        let limit = isImported ? Int64(JSONNumber.maximumExponent) : 165
        guard exponent.magnitude <= UInt64(limit) else { throw .malformed("the exponent \(exponent)", at: place) }
        return (packed & 1 == 1, Int(exponent))
    }

    private mutating func readDecimal() throws(NavWireError) {
        let (isNegative, exponent) = try readExponent()
        let place = at
        let significand = try readSignificand()
        if significand == 0 {
            guard !isImported, exponent == 0, !isNegative else { throw .malformed("a zero in another form", at: place) }
        } else if significand % 10 == 0 {
            throw .malformed("a decimal with a zero at its end", at: place)
        }
        if isImported, hasShorterForm(significand, exponent) {
            throw .malformed("a number that has a shorter form", at: place)
        }
        appendDecimal(isNegative: isNegative, exponent: exponent, significandAt: place, isZigZag: false)
    }

    private func hasShorterForm(_ significand: UInt128, _ exponent: Int) -> Bool {
        if exponent == -1 || exponent == -2 { return significand <= UInt128(Head.maximumScaled) }
        guard (0..<20).contains(exponent) else { return false }
        var whole = significand
        for _ in 0..<exponent {
            let (product, overflow) = whole.multipliedReportingOverflow(by: 10)
            if overflow { return false }
            whole = product
        }
        return whole < 1 << 64
    }

    private mutating func readSignificand() throws(NavWireError) -> UInt128 {
        let place = at
        var value: UInt128 = 0
        for index in 0..<19 {
            let byte = try readByte("a decimal")
            if index == 18, byte > 3 { break }
            value |= UInt128(byte & 0x7F) << UInt128(7 * index)
            if byte < 0x80 {
                guard byte != 0 || index == 0 else {
                    throw .malformed("a decimal in more bytes than it needs", at: place)
                }
                return value
            }
        }
        throw .malformed("a decimal of more than 128 bits", at: place)
    }

    /// Digits that no 128 bits can hold.
    private mutating func readLongDecimal() throws(NavWireError) {
        let (isNegative, exponent) = try readExponent()
        let place = at
        let count = try readCount("the count of digits")
        guard count <= fixedStart - at else { throw .truncated("a number", at: fixedStart) }
        let digits = unsafe UnsafeRawBufferPointer(start: start + at, count: count)
        guard unsafe digits.allSatisfy({ (0x30...0x39).contains($0) }), count >= 39, unsafe digits.first != 0x30,
            unsafe digits.last != 0x30,
            unsafe JSONNumber(isNegative: false, digits: Array(digits), exponent: 0)?.significand == nil
        else { throw .malformed("a number that is not in its one form", at: place) }
        tape.append(
            TapeEntry(
                kind: .longDecimal, flag: isNegative ? 1 : 0,
                length: UInt32(bitPattern: Int32(truncatingIfNeeded: exponent)),
                bits: UInt64(truncatingIfNeeded: count) << 32 | UInt64(truncatingIfNeeded: at)))
        at += count
    }
}
