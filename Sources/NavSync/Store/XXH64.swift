// SPDX-License-Identifier: Apache-2.0
import NavWire

/// The hash that rows are proved with, for stores: they know NavSync and nothing below it.
package enum XXH64 {
    package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        unsafe XXHash64.hash(bytes, seed: seed)
    }
}
