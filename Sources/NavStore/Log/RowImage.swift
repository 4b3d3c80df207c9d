// SPDX-License-Identifier: Apache-2.0
import NavSync

/// The columns of one row but name and envelope, side by side: what the row's checksum covers, and what SQLite binds.
///
///     offset  0 sequence        8 mark           16 time        24 write count    (little-endian, 8 bytes each)
///            32 base time      40 envelope checksum             48 name length    52 envelope length (4 each)
///            56 origin         72 source         88 base origin                   (16 bytes each, as bytes)
///           104 content hash  136 state         137 presence    138 zeros up to 144
///
/// Absent columns are zeros with their presence bit clear. Normative: docs/spec/store.md.
final class RowImage {
    enum Field {
        static let sequence = 0
        static let mark = 8
        static let time = 16
        static let writeCount = 24
        static let baseTime = 32
        static let envelopeChecksum = 40
        static let nameLength = 48
        static let envelopeLength = 52
        static let origin = 56
        static let source = 72
        static let baseOrigin = 88
        static let contentHash = 104
        static let state = 136
        static let presence = 137
    }

    enum Presence {
        static let source: UInt8 = 1
        static let base: UInt8 = 2
        static let envelope: UInt8 = 4
        static let mark: UInt8 = 8
    }

    static let byteCount = 144

    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: RowImage.byteCount, alignment: 8)
    /// Makes a row of another store fail its checksum.
    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
        clear()
    }

    deinit { buffer.deallocate() }

    func clear() { buffer.initializeMemory(as: UInt8.self, repeating: 0) }

    func has(_ presence: UInt8) -> Bool { buffer[Field.presence] & presence != 0 }
    func add(_ presence: UInt8) { buffer[Field.presence] |= presence }

    func word(_ field: Int) -> UInt64 { UInt64(littleEndian: buffer.load(fromByteOffset: field, as: UInt64.self)) }
    func set(_ field: Int, _ value: UInt64) {
        buffer.storeBytes(of: value.littleEndian, toByteOffset: field, as: UInt64.self)
    }
    func setLength(_ field: Int, _ value: Int) {
        buffer.storeBytes(of: UInt32(truncatingIfNeeded: value).littleEndian, toByteOffset: field, as: UInt32.self)
    }

    var state: UInt8 {
        get { buffer[Field.state] }
        set { buffer[Field.state] = newValue }
    }

    func node(_ field: Int) -> NodeID { NodeID(high: bigWord(field), low: bigWord(field + 8)) }
    func set(_ field: Int, _ node: NodeID) {
        setBig(field, node.high)
        setBig(field + 8, node.low)
    }

    var contentHash: ContentHash {
        get {
            let field = Field.contentHash
            return ContentHash(words: (bigWord(field), bigWord(field + 8), bigWord(field + 16), bigWord(field + 24)))
        }
        set {
            setBig(Field.contentHash, newValue.words.0)
            setBig(Field.contentHash + 8, newValue.words.1)
            setBig(Field.contentHash + 16, newValue.words.2)
            setBig(Field.contentHash + 24, newValue.words.3)
        }
    }

    /// Copies a column of exactly `count` bytes; false when it has another length.
    func copy(_ field: Int, from column: UnsafeRawBufferPointer, count: Int) -> Bool {
        guard column.count == count, let start = column.baseAddress else { return false }
        (buffer.baseAddress! + field).copyMemory(from: start, byteCount: count)
        return true
    }

    func bytes(_ field: Int, count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: buffer[field..<field + count])
    }

    func envelopeChecksum(of envelope: UnsafeRawBufferPointer) -> UInt64 {
        XXH64.hash(envelope, seed: seed ^ word(Field.sequence))
    }

    /// The checksum over everything in the image and the name.
    func checksum(name: UnsafeRawBufferPointer) -> UInt64 {
        XXH64.hash(name, seed: XXH64.hash(UnsafeRawBufferPointer(buffer), seed: seed))
    }

    private func bigWord(_ field: Int) -> UInt64 {
        UInt64(bigEndian: buffer.load(fromByteOffset: field, as: UInt64.self))
    }
    private func setBig(_ field: Int, _ value: UInt64) {
        buffer.storeBytes(of: value.bigEndian, toByteOffset: field, as: UInt64.self)
    }
}
