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
    /// Containers of the standard library that can be lent again once nobody else holds them. They lie in memory of
    /// their own so that looking at one counts no references.
    private(set) var boxes: UnsafeMutablePointer<Box>
    private(set) var boxCount = 0
    private var boxCapacity = 4
    /// The box that was lent last.
    private var lastBox = 0
    /// Arrays of keys, each with the shape that has them, in `epoch`. Shapes share few places, where the last one that was
    /// met stays: strangers can send any number.
    private(set) var keyArrays: [(shape: Int, keys: AnyObject?)] = []
    private static let shapesKept = 64
    private static let longestKept = 64

    @safe
    struct Box {
        /// A container of the standard library, which is one reference to an object.
        let container: UnsafeMutableRawPointer
        /// The `Lender` of the container, for ever.
        let lender: Unmanaged<AnyObject>
        let slot: UnsafeMutableRawPointer

        /// Whether only this box refers to the object.
        @inline(__always)
        var isFree: Bool {
            // As some class of Swift, since only the count is looked at: of an `AnyObject` unoptimised code says that it
            // is shared, whatever its count.
            unsafe isKnownUniquelyReferenced(&container.assumingMemoryBound(to: SomeClass.self).pointee)
        }

        /// A container for keys of a type, kept in memory of its own.
        init<Container>(_ container: Container, slot: UnsafeMutableRawPointer) {
            let place = UnsafeMutablePointer<Container>.allocate(capacity: 1)
            unsafe place.initialize(to: container)
            unsafe self.container = UnsafeMutableRawPointer(place)
            unsafe self.slot = unsafe slot
            unsafe lender = Unmanaged.passRetained(Lender(place))
        }

        func free() {
            unsafe lender.release()
            unsafe container.assumingMemoryBound(to: SomeClass.self).deinitialize(count: 1)
            unsafe container.deallocate()
            unsafe slot.deallocate()
        }
    }

    private final class SomeClass {}

    /// How many boxes are tried before another one is made. Of a type inside itself one is in use at each level, so
    /// fewer tries than levels would make another one for nearly every value.
    private static let triedBoxes = NavWireLimits.default.maximumDepth + 16

    init<Key: CodingKey>(_ type: Key.Type) {
        if _isPOD(Key.self), MemoryLayout<Key>.size <= 1 {
            unsafe numbers = .allocate(capacity: 256)
            unsafe numbers?.initialize(repeating: -1, count: 256)
        } else {
            unsafe numbers = nil
        }
        unsafe boxes = .allocate(capacity: 4)
        isDictionaryKey = String(reflecting: Key.self) == "Swift._DictionaryCodingKey"
    }

    /// A box that nobody uses: most often that of the value before, else the one behind that of the value around.
    @inline(__always)
    mutating func freeBox() -> UnsafeMutablePointer<Box>? {
        if boxCount > 0, unsafe boxes[lastBox].isFree { return unsafe boxes + lastBox }
        return unsafe findFreeBox()
    }

    @inline(never)
    private mutating func findFreeBox() -> UnsafeMutablePointer<Box>? {
        for _ in 0..<min(boxCount, Self.triedBoxes) {
            lastBox = lastBox + 1 < boxCount ? lastBox + 1 : 0
            if unsafe boxes[lastBox].isFree { return unsafe boxes + lastBox }
        }
        return nil
    }

    /// Whether there are more boxes than values inside each other need: containers that a type collects, as many as the
    /// bytes say.
    var boxesAreMany: Bool { boxCount > Self.triedBoxes }

    /// Gives back the boxes beyond those that values inside each other need, as far as nobody uses them.
    mutating func trim() {
        guard boxesAreMany else { return }
        var kept = Self.triedBoxes
        for index in Self.triedBoxes..<boxCount {
            let box = unsafe boxes[index]
            if box.isFree {
                box.free()
            } else {
                unsafe boxes[kept] = box
                kept += 1
            }
        }
        boxCount = kept
        lastBox = 0
    }

    mutating func add(_ box: Box) {
        if boxCount == boxCapacity {
            let larger = UnsafeMutablePointer<Box>.allocate(capacity: boxCapacity * 2)
            unsafe larger.moveInitialize(from: boxes, count: boxCount)
            unsafe boxes.deallocate()
            unsafe boxes = unsafe larger
            boxCapacity *= 2
        }
        unsafe (boxes + boxCount).initialize(to: box)
        lastBox = boxCount
        boxCount += 1
    }

    mutating func forgetNumbers(epoch: UInt32) {
        unsafe numbers?.update(repeating: -1, count: 256)
        keyArrays.removeAll()
        self.epoch = epoch
    }

    /// The keys of a shape, if they are known.
    @inline(__always)
    func keys(ofShape node: Int) -> AnyObject? {
        guard !keyArrays.isEmpty else { return nil }
        let known = keyArrays[node & (Self.shapesKept - 1)]
        return known.shape == node ? known.keys : nil
    }

    /// Keeps the keys of a shape until another one takes its place.
    mutating func keep(_ keys: AnyObject, count: Int, ofShape node: Int) {
        guard count <= Self.longestKept else { return }
        if keyArrays.isEmpty { keyArrays = Array(repeating: (shape: -1, keys: nil), count: Self.shapesKept) }
        keyArrays[node & (Self.shapesKept - 1)] = (node, keys)
    }

    /// The number of a key if it is known by the key's byte, or -1.
    @inline(__always)
    static func known<Key: CodingKey>(_ key: Key, _ numbers: UnsafeMutablePointer<Int32>?) -> Int32 {
        guard let numbers = unsafe numbers else { return -1 }
        return unsafe numbers[place(of: key)]
    }

    /// Notes the number of a key whose type has `numbers`.
    static func note(_ number: Int, of key: some CodingKey, _ numbers: UnsafeMutablePointer<Int32>?) {
        if let numbers = unsafe numbers { unsafe numbers[place(of: key)] = Int32(truncatingIfNeeded: number) }
    }

    /// The byte that a key is.
    @inline(__always)
    private static func place<Key: CodingKey>(of key: Key) -> Int {
        unsafe MemoryLayout<Key>.size == 0 ? 0 : Int(unsafeBitCast(key, to: UInt8.self))
    }

    /// The number of a key, where `numbers` are those of its type.
    @inline(__always)
    static func number<Key: CodingKey>(
        of key: Key, _ numbers: UnsafeMutablePointer<Int32>?, in table: inout KeyTable
    ) -> Int32 {
        guard let numbers = unsafe numbers else {
            return Int32(truncatingIfNeeded: table.number(of: key.stringValue))
        }
        let place = place(of: key)
        let known = unsafe numbers[place]
        return unsafe known >= 0 ? known : ask(key, numbers + place, &table)
    }

    @inline(never)
    private static func ask(
        _ key: some CodingKey, _ number: UnsafeMutablePointer<Int32>, _ table: inout KeyTable
    ) -> Int32 {
        unsafe number.pointee = Int32(truncatingIfNeeded: table.number(of: key.stringValue))
        return unsafe number.pointee
    }
}

/// Copies a container out of the place where it is kept.
///
/// The metadata of a container's type is looked up in a table of the runtime by whoever copies one and knows its type by
/// that of its keys alone. An object knows it by its own type, at once: of what a container costs this was the most.
@safe
final class Lender<Container> {
    private let place: UnsafeMutablePointer<Container>

    init(_ place: UnsafeMutablePointer<Container>) {
        unsafe self.place = unsafe place
    }

    @inline(never)
    func lend() -> Container { unsafe place.pointee }
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
