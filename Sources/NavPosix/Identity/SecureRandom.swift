// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// Unpredictable bytes, seeded by the kernel.
package enum SecureRandom {
    /// Traps when the generator fails: going on with guessable keys or marks would be worse.
    package static func bytes(count: Int) -> [UInt8] {
        guard count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
            // RAND_bytes takes an Int32; nothing here asks for more than a few hundred bytes.
            let done = RAND_bytes(output.baseAddress, Int32(count))
            precondition(done == 1, "no secure random bytes")
            initialized = count
        }
    }

    package static func uint64() -> UInt64 { bytes(count: 8).reduce(0) { $0 << 8 | UInt64($1) } }
}
