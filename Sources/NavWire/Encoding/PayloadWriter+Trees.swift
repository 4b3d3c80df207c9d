// SPDX-License-Identifier: Apache-2.0

extension PayloadWriter {
    /// Writes a value imported from JSON.
    mutating func write(_ value: JSONValue) throws(NavWireError) {
        switch value {
        case .null: writeNull()
        case .bool(let value): write(value)
        case .number(let number): write(number)
        case .string(let string): write(string)
        case .array(let elements):
            try pushChecked(.array)
            for element in elements {
                beginItem()
                try write(element)
                endItem()
            }
            endItems()
        case .object(let object):
            try pushChecked(.object)
            for member in object.members {
                writeKey(keys.number(of: member.key))
                try write(member.value)
            }
            endObject()
        }
    }

    /// Writes a native tree whose maps, pairs and sets are `ordered`.
    mutating func write(_ node: NativeNode) throws(NavWireError) {
        switch node {
        case .null: writeNull()
        case .nestedNull(let depth): writeNestedNull(depth: depth)
        case .bool(let value): write(value)
        case .integer(let isNegative, let magnitude): writeInteger(isNegative: isNegative, magnitude: magnitude)
        case .half(let bits): writeHalf(bitPattern: bits)
        case .float(let bits): writeFloat(bitPattern: bits)
        case .double(let bits): write(Double(bitPattern: bits))
        case .decimal(let number): writeDecimal(number)
        case .string(let string): write(string)
        case .uuid(let bytes): writeUUID(bytes.bigEndian)
        case .date(let bits): writeDate(Double(bitPattern: bits))
        case .data(let bytes): unsafe bytes.withUnsafeBytes { unsafe writeData($0) }
        case .url(let string, let base): writeURL(string, base: base)
        case .array(let items): try writeItems(items, .array)
        case .pairs(let items):
            try Self.checkNeighbours(items, step: 2, "keys of a dictionary")
            try writeItems(items, .pairs)
        case .set(let items):
            try Self.checkNeighbours(items, step: 1, "members of a set")
            try writeItems(items, .set)
        case .map(let members): try writeMap(members)
        case .object(let members):
            try pushChecked(.object)
            for member in members {
                writeKey(keys.number(of: member.key))
                try write(member.value)
            }
            endObject()
        }
    }

    private mutating func writeItems(_ items: [NativeNode], _ kind: Frame.Kind) throws(NavWireError) {
        try pushChecked(kind)
        for item in items {
            beginItem()
            try write(item)
            endItem()
        }
        endItems()
    }

    /// Refuses what a reader would: more equal members or keys than the format allows, which stand beside each other.
    private static func checkNeighbours(
        _ items: [NativeNode], step: Int, _ what: StaticString
    ) throws(NavWireError) {
        let distance = NavWireLimits.equalNeighbourCount * step
        for place in stride(from: 0, to: items.count - distance, by: step)
        where NativeNode.compare(items[place], items[place + distance]) == 0 {
            throw .tooManyEqual(what)
        }
    }

    private mutating func writeMap(_ members: [NativeNode.Member]) throws(NavWireError) {
        try pushChecked(.map)
        for member in members {
            beginItem()
            write(member.key)
            endItem()
            beginItem()
            try write(member.value)
            endItem()
        }
        endItems()
    }

    /// Normalised, so that equal values have equal bytes.
    mutating func writeDecimal(_ number: JSONNumber?) {
        guard let number, let significand = number.significand else { return writeDecimalNaN() }
        writeDecimal(isNegative: number.isNegative, significand: significand, exponent: number.exponent)
    }

    mutating func writeURL(_ string: String, base: String?) {
        var string = string
        string.withUTF8 { relative in
            guard var base else { return unsafe writeURL(UnsafeRawBufferPointer(relative), base: nil) }
            base.withUTF8 { unsafe writeURL(UnsafeRawBufferPointer(relative), base: UnsafeRawBufferPointer($0)) }
        }
    }

    private mutating func pushChecked(_ kind: Frame.Kind) throws(NavWireError) {
        push(kind)
        if isFaulty, let fault { throw fault }
    }
}
