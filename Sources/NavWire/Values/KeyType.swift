// SPDX-License-Identifier: Apache-2.0

/// What is known about a type of coding keys.
///
/// Keys of one byte or none, which is what the compiler makes for up to 256 cases, are told apart by that byte: their
/// string is asked for once in the life of the coder.
@safe
struct KeyType {
    /// The numbers of keys by their byte, -1 while unknown.
    let numbers: UnsafeMutablePointer<Int32>?
    /// The epoch of the key table in which `numbers` hold.
    var epoch: UInt32 = 0
    /// Whether it is the key type that the standard library's dictionaries use when they encode themselves.
    let isDictionaryKey: Bool
    var boxes: [Box] = []
    /// Arrays of keys by the shape that has them, in `epoch`.
    var keyArrays: [Int: AnyObject] = [:]

    /// A container of the standard library that can be lent again once nobody else holds it.
    @safe
    struct Box {
        var container: AnyObject
        let slot: UnsafeMutableRawPointer
    }

    init<Key: CodingKey>(_ type: Key.Type) {
        if _isPOD(Key.self), MemoryLayout<Key>.size <= 1 {
            unsafe numbers = .allocate(capacity: 256)
            unsafe numbers?.initialize(repeating: -1, count: 256)
        } else {
            unsafe numbers = nil
        }
        isDictionaryKey = String(reflecting: Key.self) == "Swift._DictionaryCodingKey"
    }

    mutating func forgetNumbers(epoch: UInt32) {
        unsafe numbers?.update(repeating: -1, count: 256)
        keyArrays.removeAll()
        self.epoch = epoch
    }

    /// The number of a key.
    @inline(__always)
    func number<Key: CodingKey>(of key: Key, in table: inout KeyTable) -> Int {
        guard let numbers = unsafe numbers else { return table.number(of: key.stringValue) }
        let place = unsafe withUnsafePointer(to: key) {
            unsafe MemoryLayout<Key>.size == 0 ? 0 : Int(UnsafeRawPointer($0).load(as: UInt8.self))
        }
        let known = unsafe numbers[place]
        if known >= 0 { return Int(known) }
        let number = table.number(of: key.stringValue)
        unsafe numbers[place] = Int32(truncatingIfNeeded: number)
        return number
    }
}

/// A coding key of ours, for containers whose own key type is not at hand.
struct WireKey: CodingKey, Hashable, CustomStringConvertible {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = Int(stringValue)
    }

    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }

    /// The place of an item, spelled as the standard library's coders do.
    init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    static let `super` = WireKey(stringValue: "super")

    var description: String { stringValue }
}
