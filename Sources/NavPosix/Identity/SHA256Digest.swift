// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// SHA-256 in one call. No state is kept between calls; any thread may call.
package enum SHA256Digest {
    package static let byteCount = 32

    /// Looked up once: an implicit look-up by OpenSSL 3 costs as much as hashing 300 bytes.
    /// Immutable after its initialisation, so sharing the pointer between threads is safe.
    nonisolated(unsafe) private static let algorithm: OpaquePointer? = EVP_MD_fetch(nil, "SHA256", nil)

    package static func hash(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let contiguous = bytes.withContiguousStorageIfAvailable { hash(UnsafeRawBufferPointer($0)) }
        return contiguous ?? Array(bytes).withUnsafeBytes { hash($0) }
    }

    package static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { output, count in
            let done = EVP_Digest(bytes.baseAddress, bytes.count, output.baseAddress, nil, algorithm, nil)
            precondition(done == 1, "OpenSSL cannot compute SHA-256")
            count = byteCount
        }
    }

    /// The hash as four big-endian words, first bytes first; no array is made.
    package static func words(_ bytes: [UInt8]) -> (UInt64, UInt64, UInt64, UInt64) {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: byteCount / 8) { output in
            let digest = UnsafeMutableRawPointer(output.baseAddress)?.assumingMemoryBound(to: UInt8.self)
            let done = bytes.withUnsafeBytes { EVP_Digest($0.baseAddress, $0.count, digest, nil, algorithm, nil) }
            precondition(done == 1, "OpenSSL cannot compute SHA-256")
            return (
                UInt64(bigEndian: output[0]), UInt64(bigEndian: output[1]), UInt64(bigEndian: output[2]),
                UInt64(bigEndian: output[3])
            )
        }
    }
}
