// SPDX-License-Identifier: Apache-2.0

extension PayloadScanner {
    /// The tree of a native value on the tape.
    func node(at index: Int) -> NativeNode {
        let entry = unsafe tape.entries[index]
        switch entry.kind {
        case .null: return .null
        case .nestedNull: return .nestedNull(depth: Int(entry.length))
        case .bool: return .bool(entry.bits == 1)
        case .integer: return .integer(isNegative: entry.flag == 1, magnitude: UInt128(entry.bits))
        case .wideInteger: return .integer(isNegative: entry.flag == 1, magnitude: wideMagnitude(entry))
        case .half: return .half(bitPattern: UInt16(truncatingIfNeeded: entry.bits))
        case .float: return .float(bitPattern: UInt32(truncatingIfNeeded: entry.bits))
        case .double: return .double(bitPattern: entry.bits)
        case .decimal: return .decimal(number(entry))
        case .decimalNaN, .negativeZero, .longDecimal: return .decimal(nil)
        case .string, .verbatim: return .string(string(entry))
        case .uuid: return .uuid(UInt128(bigEndian: uuidBytes(entry)))
        case .date: return .date(bitPattern: entry.bits)
        case .data: return unsafe .data(Array(payloadBytes(entry)))
        case .webURL, .url: return .url(urlString(entry), base: nil)
        case .urlWithBase:
            return unsafe .url(string(tape.entries[index + 1]), base: string(tape.entries[index + 2]))
        case .array: return .array(items(of: index))
        case .pairs: return .pairs(items(of: index))
        case .set: return .set(items(of: index))
        case .map: return .map(mapMembers(of: index))
        case .object:
            return .object(members(of: index).map { NativeNode.Member(key: $0.key, value: node(at: $0.index)) })
        case .imported: return node(at: index + 1)
        }
    }

    /// The value of an imported value on the tape.
    func json(at index: Int) -> JSONValue {
        let entry = unsafe tape.entries[index]
        switch entry.kind {
        case .bool: return .bool(entry.bits == 1)
        case .integer:
            let magnitude = Int128(entry.bits)
            return .number(JSONNumber(entry.flag == 1 ? -1 - magnitude : magnitude))
        case .decimal, .longDecimal, .negativeZero: return number(entry).map { .number($0) } ?? .null
        case .string: return .string(string(entry))
        case .array: return .array(indices(of: index).map { json(at: $0) })
        case .object:
            return .object(JSONObject(sorted: members(of: index).map { .init(key: $0.key, value: json(at: $0.index)) }))
        case .imported: return json(at: index + 1)
        // The scanner lets nothing else into an imported value.
        default: return .null
        }
    }

    @inline(__always)
    func string(_ entry: TapeEntry) -> String { unsafe UTF8Check.string(bytes(of: entry)) }

    /// The bytes of an entry whose offset is into the payload.
    func payloadBytes(_ entry: TapeEntry) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: start + Int(truncatingIfNeeded: entry.bits), count: Int(entry.length))
    }

    func urlString(_ entry: TapeEntry) -> String {
        let text = unsafe payloadBytes(entry)
        guard entry.kind == .webURL else { return unsafe UTF8Check.string(text) }
        let prefix = unsafe UnsafeRawBufferPointer(
            start: Head.webPrefix.utf8Start, count: Head.webPrefix.utf8CodeUnitCount)
        return unsafe String(unsafeUninitializedCapacity: prefix.count + text.count) {
            let target = UnsafeMutableRawBufferPointer($0)
            unsafe target.copyMemory(from: prefix)
            unsafe UnsafeMutableRawBufferPointer(rebasing: target[prefix.count...]).copyMemory(from: text)
            return prefix.count + text.count
        }
    }

    func wideMagnitude(_ entry: TapeEntry) -> UInt128 {
        unsafe UInt128(littleEndian: start.loadUnaligned(fromByteOffset: Int(entry.bits), as: UInt128.self))
    }

    /// The sixteen bytes in their order.
    @inline(__always)
    func uuidBytes(_ entry: TapeEntry) -> UInt128 {
        unsafe start.loadUnaligned(fromByteOffset: Int(truncatingIfNeeded: entry.bits), as: UInt128.self)
    }

    /// A decimal, or an imported number that is no integer.
    func number(_ entry: TapeEntry) -> JSONNumber? {
        let exponent = Int(Int32(bitPattern: entry.length))
        switch entry.kind {
        case .negativeZero: return JSONNumber(isNegative: true, digits: "0", exponent: 0)
        case .longDecimal:
            let digits = unsafe UnsafeRawBufferPointer(start: start + entry.end, count: entry.shape)
            return unsafe JSONNumber(isNegative: entry.flag == 1, digits: Array(digits), exponent: exponent)
        default:
            return JSONNumber(isNegative: entry.flag & 1 == 1, significand: significand(entry), exponent: exponent)
        }
    }

    func significand(_ entry: TapeEntry) -> UInt128 {
        var value: UInt128 = 0
        var shift: UInt128 = 0
        var offset = Int(truncatingIfNeeded: entry.bits)
        while true {
            let byte = unsafe start.load(fromByteOffset: offset, as: UInt8.self)
            value |= UInt128(byte & 0x7F) << shift
            if byte < 0x80 { break }
            shift += 7
            offset += 1
        }
        guard entry.flag & 2 != 0 else { return value }
        return UInt128(Varint.zagZig(UInt64(truncatingIfNeeded: value)).magnitude)
    }

    /// The indices of the items of a container.
    func indices(of container: Int) -> [Int] {
        var found: [Int] = []
        var index = container + 1
        let end = unsafe tape.entries[container].end
        while index < end {
            found.append(index)
            index = tape.next(after: index)
        }
        return found
    }

    private func items(of container: Int) -> [NativeNode] { indices(of: container).map { node(at: $0) } }

    private func mapMembers(of container: Int) -> [NativeNode.Member] {
        let found = indices(of: container)
        return stride(from: 0, to: found.count - 1, by: 2).map {
            unsafe NativeNode.Member(key: string(tape.entries[found[$0]]), value: node(at: found[$0 + 1]))
        }
    }

    /// The keys of an object and where their values are.
    func members(of object: Int) -> [(key: String, index: Int)] {
        let shape = unsafe documentShapes[tape.entries[object].shape]
        let numbers = unsafe shapeKeys.elements(Int(shape.firstKey), count: Int(shape.keyCount))
        return unsafe zip(numbers, indices(of: object)).map { (keys.string(of: Int($0)), $1) }
    }
}
