// SPDX-License-Identifier: Apache-2.0

import CZstd
import Synchronization

/// A dictionary as zstd digests it: once for reading, once for each level of writing.
final class DictionaryContexts: Sendable {
    @safe
    private struct Digests {
        var decompression: OpaquePointer?
        var compression: [Int: OpaquePointer] = unsafe [:]
    }

    private let bytes: [UInt8]
    // Digests are read-only once made, and live until the last user of the dictionary is gone.
    private let digests = Mutex<SendableBox<Digests>>(SendableBox(Digests()))

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    deinit {
        digests.withLock { digests in
            unsafe ZSTD_freeDDict(digests.value.decompression)
            unsafe digests.value.compression.values.forEach { digest in _ = unsafe ZSTD_freeCDict(digest) }
        }
    }

    /// Nil when zstd cannot have the memory.
    func forDecompression() -> OpaquePointer? {
        unsafe digests.withLock {
            if unsafe $0.value.decompression == nil {
                unsafe $0.value.decompression = unsafe ZSTD_createDDict(bytes, bytes.count)
            }
            return unsafe SendableBox($0.value.decompression)
        }
        .value
    }

    func forCompression(level: Int) -> OpaquePointer? {
        unsafe digests.withLock {
            if unsafe $0.value.compression[level] == nil {
                unsafe $0.value.compression[level] = unsafe ZSTD_createCDict(
                    bytes, bytes.count, Int32(truncatingIfNeeded: level))
            }
            return unsafe SendableBox($0.value.compression[level])
        }
        .value
    }
}
