// SPDX-License-Identifier: Apache-2.0
import NavSync

extension NodeID {
    /// The id as a column holds it.
    var bytes: [UInt8] {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
    }

    /// Nil when the column has another length.
    init?(column: UnsafeRawBufferPointer) {
        guard column.count == Self.byteCount else { return nil }
        self.init(
            high: UInt64(bigEndian: column.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
            low: UInt64(bigEndian: column.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
}

extension XXH64 {
    /// The hash of words as little-endian bytes.
    static func hash(words: [UInt64], seed: UInt64) -> UInt64 {
        words.map(\.littleEndian).withUnsafeBytes { hash($0, seed: seed) }
    }
}
