// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

extension UnsafeMutablePointer where Pointee == EncoderState {
    /// Writes a value into the innermost container, whose key or item has just begun.
    @inline(__always)
    func encodeItem<Value: Encodable>(_ value: Value) throws {
        let type = unsafe pointee.valueTypes.info(of: Value.self) { EncodedType(Value.self) }
        let count = unsafe pointee.writer.depth
        if unsafe type.pointee.kind.isLeaf {
            unsafe writeLeaf(value, type.pointee.kind)
            if unsafe pointee.writer.top.pointee.kind != .object { unsafe pointee.writer.endItem() }
            return
        }
        unsafe pointee.openItem()
        if unsafe pointee.writer.isFaulty { unsafe try throwFault() }
        let place = unsafe ItemPlace(pointee.writer.top.pointee)
        do {
            if unsafe type.pointee.kind == .plain {
                unsafe try value.encode(to: WireEncoder(next: self))
            } else {
                unsafe try encodeSpecial(value, type)
            }
        } catch {
            unsafe abandon(place)
            throw error
        }
        if unsafe !pointee.isTree { unsafe pointee.close(to: count) }
    }

    /// Writes a value to the place that is being written, which is all that a single value container does.
    @inline(__always)
    func encodeHere<Value: Encodable>(_ value: Value) throws {
        unsafe try encodeHere(value, pointee.valueTypes.info(of: Value.self) { EncodedType(Value.self) })
    }

    @inline(__always)
    func encodeHere<Value: Encodable>(_ value: Value, _ type: UnsafeMutablePointer<EncodedType>) throws {
        if unsafe pointee.writer.isFaulty { unsafe try throwFault() }
        if unsafe type.pointee.kind == .plain {
            unsafe try value.encode(to: WireEncoder(next: self))
        } else if unsafe type.pointee.kind.isLeaf {
            unsafe writeLeaf(value, type.pointee.kind)
        } else {
            unsafe try encodeSpecial(value, type)
        }
    }

    @inline(never)
    func throwFault() throws {
        if let fault = unsafe pointee.writer.fault { throw fault }
    }

    /// A value whose encoding failed half-way is taken back, so that whoever catches the error can go on. Nothing else
    /// is: it may have written to the container around it before it failed.
    @inline(never)
    private func abandon(_ place: ItemPlace) {
        let key = unsafe pointee.writer.shapes.nodes[Int(place.node)].key
        let name = key < 0 ? nil : unsafe pointee.writer.keys.string(of: Int(key))
        // The value may have written to its own key too: that stays.
        let time = unsafe pointee.writer.shapes.count(of: key, downTo: Int(place.node))
        do throws(NavWireError) {
            unsafe try pointee.moveToTree()
            if place.kind == .object, let name {
                unsafe pointee.tree?.remove(key: name, time: time, from: place.parent)
            } else {
                let number = place.kind == .map ? place.count / 2 : place.count
                unsafe pointee.tree?.remove(at: Int(number), from: place.parent)
            }
        } catch {
            unsafe pointee.writer.fail(error)
        }
    }

    /// A value of a type that is written without its own code. The kind says what the type is.
    func writeLeaf<Value>(_ value: Value, _ kind: ValueKind) {
        switch kind {
        case .bool: unsafe pointee.writer.write(unsafeBitCast(value, to: Bool.self))
        case .int: unsafe pointee.writer.write(Int64(unsafeBitCast(value, to: Int.self)))
        case .double: unsafe pointee.writer.write(unsafeBitCast(value, to: Double.self))
        case .half: unsafe pointee.writer.writeHalf(bitPattern: unsafeBitCast(value, to: UInt16.self))
        case .string: unsafe pointee.writer.write(unsafeBitCast(value, to: String.self))
        case .uuid: unsafe pointee.writer.writeUUID(unsafeBitCast(value, to: UInt128.self))
        case .date: unsafe pointee.writer.writeDate(unsafeBitCast(value, to: Double.self))
        case .data:
            unsafe unsafeBitCast(value, to: Data.self).withUnsafeBytes { unsafe pointee.writer.writeData($0) }
        case .url: unsafe pointee.writer.write(unsafeBitCast(value, to: URL.self))
        case .decimal: unsafe pointee.writer.writeDecimal(JSONNumber(unsafeBitCast(value, to: Decimal.self)))
        case .strings: unsafe writeItems(unsafeBitCast(value, to: [String].self)) { $0.write($1) }
        case .ints: unsafe writeItems(unsafeBitCast(value, to: [Int].self)) { $0.write(Int64($1)) }
        case .doubles: unsafe writeItems(unsafeBitCast(value, to: [Double].self)) { $0.write($1) }
        case .stringMap: unsafe writeMap(unsafeBitCast(value, to: [String: String].self))
        default: break
        }
    }

    private func encodeSpecial<Value: Encodable>(
        _ value: Value, _ type: UnsafeMutablePointer<EncodedType>
    ) throws {
        unsafe try withUnsafePointer(to: value) { pointer in
            let raw = unsafe UnsafeRawPointer(pointer)
            switch unsafe kind(type) {
            case .nestedOptional: unsafe try encodeNested(raw, type)
            case .direct: unsafe try encodeDirect(raw, type)
            case .plain: unsafe try encodePlain(value)
            default: unsafe try type.pointee.ordered?.encodeInOrder(raw, to: WireEncoder(next: self))
            }
        }
    }

    @inline(never)
    private func encodePlain(_ value: some Encodable) throws { unsafe try value.encode(to: WireEncoder(next: self)) }

    private func encodeDirect(_ value: UnsafeRawPointer, _ type: UnsafeMutablePointer<EncodedType>) throws {
        do {
            unsafe try type.pointee.direct?.encodeErased(value, self)
        } catch {
            // Whoever swallows it goes on with what `Codable` leaves of such a value. A fault is told at the end anyhow.
            if unsafe !pointee.writer.isFaulty { unsafe pointee.isAmiss = true }
            throw error
        }
    }

    @inline(__always)
    private func writeItems<Item>(_ items: [Item], _ write: (inout PayloadWriter, Item) -> Void) {
        unsafe pointee.writer.push(.array)
        for item in items {
            unsafe pointee.writer.beginItem()
            unsafe write(&pointee.writer, item)
            unsafe pointee.writer.endItem()
        }
        unsafe pointee.writer.endItems()
    }

    /// Sorted where it stands on the stack.
    private func writeMap(_ map: [String: String]) {
        unsafe pointee.writer.push(.map)
        unsafe withUnsafeTemporaryAllocation(of: (key: String, value: String).self, capacity: map.count) { buffer in
            var members = unsafe buffer
            var count = 0
            for member in map {
                unsafe members.initializeElement(at: count, to: member)
                count += 1
            }
            unsafe members.sort { Utf8Order.precedes($0.key, $1.key) }
            for index in members.indices {
                let member = unsafe members[index]
                unsafe pointee.writer.beginItem()
                unsafe pointee.writer.write(member.key)
                unsafe pointee.writer.endItem()
                unsafe pointee.writer.beginItem()
                unsafe pointee.writer.write(member.value)
                unsafe pointee.writer.endItem()
            }
            unsafe members.deinitialize()
        }
        unsafe pointee.writer.endItems()
    }

    /// Sorted in the same way; the order is that of `NativeNode.precedes`.
    func writeSet(_ set: Set<String>) {
        unsafe pointee.writer.push(.set)
        unsafe withUnsafeTemporaryAllocation(of: String.self, capacity: set.count) { buffer in
            var members = unsafe buffer
            for (index, member) in set.enumerated() { unsafe members.initializeElement(at: index, to: member) }
            unsafe members.sort { Utf8Order.precedes($0, $1) }
            for index in members.indices {
                unsafe pointee.writer.beginItem()
                unsafe pointee.writer.write(members[index])
                unsafe pointee.writer.endItem()
            }
            unsafe members.deinitialize()
        }
        unsafe pointee.writer.endItems()
    }

    private func encodeNested(_ value: UnsafeRawPointer, _ type: UnsafeMutablePointer<EncodedType>) throws {
        guard let optional = unsafe type.pointee.nested else { return }
        let slot = unsafe WireEncoder(next: self)
        switch unsafe optional.peel(value) {
        case .null(0): unsafe pointee.writer.writeNull()
        case .null(let depth): unsafe pointee.writer.writeNestedNull(depth: depth)
        case .value(let inner):
            unsafe try encodeHere(inner)
            slot.writeEmptyObjectIfUntouched()
        case .notEncodable: throw EncoderState.notHere("a value inside optionals")
        }
    }

    /// Writes a value to a node of the tree.
    func encodeInTree<Value: Encodable>(_ value: Value, node: UInt32) throws {
        guard let tree = unsafe pointee.tree else { return }
        let type = unsafe pointee.valueTypes.info(of: Value.self) { EncodedType(Value.self) }
        let kind = unsafe kind(type)
        let slot = unsafe WireEncoder(self, node: node)
        switch kind {
        case .plain:
            try value.encode(to: slot)
            tree.closeEmpty(node)
        case .map, .pairs, .set, .nestedOptional:
            unsafe try withUnsafePointer(to: value) { unsafe try encodeInTree(UnsafeRawPointer($0), type, node: node) }
        default: try tree.set(node, to: NativeNode(encoding: value, at: slot))
        }
    }

    private func encodeInTree(
        _ value: UnsafeRawPointer, _ type: UnsafeMutablePointer<EncodedType>, node: UInt32
    ) throws {
        guard let optional = unsafe type.pointee.nested else {
            unsafe try type.pointee.ordered?.encodeInTree(value, self, node: node)
            return
        }
        switch unsafe optional.peel(value) {
        case .null(0): unsafe try pointee.tree?.set(node, to: .null)
        case .null(let depth): unsafe try pointee.tree?.set(node, to: .nestedNull(depth: depth))
        case .value(let inner): unsafe try encodeInTree(inner, node: node)
        case .notEncodable: throw EncoderState.notHere("a value inside optionals")
        }
    }

    /// Writes the one value of a document.
    func encodeDocument<Value: Encodable>(_ value: Value) throws {
        unsafe pointee.writer.aimAtSlot()
        unsafe try encodeHere(value)
        guard unsafe try pointee.endDocument() else {
            throw EncodingError.invalidValue(
                value, .init(codingPath: [], debugDescription: "Top-level \(Value.self) did not encode any values."))
        }
    }

    /// The same for a document that becomes a part of another: there a value may come to nothing.
    func encodePart(_ value: some Encodable) throws {
        unsafe pointee.writer.aimAtSlot()
        unsafe try encodeHere(value)
        _ = unsafe try pointee.endDocument()
    }

    /// Replaces what was written by the tree, if there is one.
    func finishTree() throws(NavWireError) {
        guard let tree = unsafe pointee.tree else { return }
        if let fault = unsafe pointee.writer.fault { throw fault }
        let node = tree.node
        unsafe pointee.tree = nil
        unsafe pointee.writer.begin(limits: pointee.writer.limits)
        unsafe try pointee.writer.write(node.ordered)
    }
}

/// Where the value stands that was begun last in a container.
private struct ItemPlace {
    let kind: PayloadWriter.Frame.Kind
    /// The number of the container.
    let parent: UInt32
    /// Objects: the shape so far, which ends with the value's key.
    let node: Int32
    /// The others: how many items were ended before.
    let count: Int32

    @inline(__always)
    init(_ frame: PayloadWriter.Frame) {
        kind = frame.kind
        parent = frame.ordinal
        node = frame.node
        count = frame.count
    }
}

extension PayloadWriter {
    mutating func write(_ url: URL) {
        // No URL is made from an empty text, so a base of none would not be one when it is read.
        let base = url.baseURL?.absoluteString
        writeURL(url.relativeString, base: base?.isEmpty == false ? base : nil)
    }
}

extension JSONNumber {
    /// The exact value; nil for NaN.
    init?(_ decimal: Decimal) {
        guard !decimal.isNaN else { return nil }
        guard case .number(let number)? = try? JSONScanner.value(of: Array(decimal.description.utf8))
        else { return nil }
        self = number
    }
}
