// SPDX-License-Identifier: Apache-2.0

/// One unit of the byte stream, still inside the cutter's buffer.
///
///     0      4      5
///     | length | type | payload … |      length counts the payload only
package struct Frame {
    package static let headerByteCount = 5

    package let type: UInt8
    package var payload: ByteReader
}
