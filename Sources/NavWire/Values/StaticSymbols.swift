// SPDX-License-Identifier: Apache-2.0

/// The strings that every reader knows: keys and tags that many apps use. Part of the format; only ever appended to
/// by a new version.
@safe
struct StaticSymbols: @unchecked Sendable {
    // Written once while `shared` is made and only read after that.
    private let bytes: UnsafeMutableRawPointer
    private let offsets: UnsafeMutablePointer<UInt32>
    private let slots: UnsafeMutablePointer<Int32>
    private let mask: Int
    let count: Int

    static let shared = StaticSymbols(StaticSymbolList.all)

    private init(_ symbols: [String]) {
        let byteCount = symbols.reduce(0) { $0 + $1.utf8.count }
        count = symbols.count
        unsafe bytes = .allocate(byteCount: byteCount + 16, alignment: 16)
        unsafe offsets = .allocate(capacity: symbols.count + 1)
        let slotCount = 1 << (Int.bitWidth - (symbols.count * 4).leadingZeroBitCount)
        mask = slotCount - 1
        unsafe slots = .allocate(capacity: slotCount)
        unsafe slots.initialize(repeating: -1, count: slotCount)
        var offset = 0
        for (index, symbol) in symbols.enumerated() {
            unsafe offsets[index] = UInt32(truncatingIfNeeded: offset)
            for byte in symbol.utf8 {
                unsafe bytes.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
                offset += 1
            }
            unsafe offsets[index + 1] = UInt32(truncatingIfNeeded: offset)
            let symbolBytes = unsafe self[index]
            guard let start = symbolBytes.baseAddress else { continue }
            var slot =
                unsafe Int(truncatingIfNeeded: ByteHash.hash(start, symbolBytes.count, seed: ByteHash.seed)) & mask
            while unsafe slots[slot] >= 0 { slot = (slot + 1) & mask }
            unsafe slots[slot] = Int32(truncatingIfNeeded: index)
        }
    }

    /// The bytes of the symbol with a number below `count`.
    @inline(__always)
    subscript(index: Int) -> UnsafeRawBufferPointer {
        let start = unsafe Int(offsets[index])
        return unsafe UnsafeRawBufferPointer(start: bytes + start, count: Int(offsets[index + 1]) - start)
    }

    /// The number of a string, whose hash with the process's seed is `hash`.
    @inline(__always)
    func number(of text: UnsafeRawPointer, _ byteCount: Int, hash: UInt64) -> Int? {
        var slot = Int(truncatingIfNeeded: hash) & mask
        while true {
            let index = unsafe Int(slots[slot])
            if index < 0 { return nil }
            let symbol = unsafe self[index]
            if symbol.count == byteCount, let start = symbol.baseAddress,
                unsafe ByteHash.equal(start, text, byteCount)
            {
                return index
            }
            slot = (slot + 1) & mask
        }
    }
}
