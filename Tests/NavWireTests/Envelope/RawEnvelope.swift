// SPDX-License-Identifier: Apache-2.0

@testable import NavWire

/// Envelopes around bytes that no writer would write, with a good checksum.
enum RawEnvelope {
    static func stored(_ payload: [UInt8]) -> [UInt8] {
        sealed([0x9E, 0x4E, 0x10] + varint(UInt64(payload.count)) + payload)
    }

    /// An envelope that says how long its payload is, whatever the frame says.
    static func compressed(_ frame: [UInt8], payloadByteCount: UInt64) -> [UInt8] {
        sealed([0x9E, 0x4E, 0x11] + varint(payloadByteCount) + frame)
    }

    static func varint(_ value: UInt64) -> [UInt8] {
        var (bytes, rest): ([UInt8], UInt64) = ([], value)
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(truncatingIfNeeded: rest)]
    }

    /// A frame of runs: `count` blocks of 128 KiB zeros, in four bytes each. `window` is the window's exponent.
    static func zeros(blocks count: Int, window: UInt8) -> [UInt8] {
        var frame: [UInt8] = [0x00, (window - 10) << 3]
        for index in 0..<count {
            let header = (index == count - 1 ? 1 : 0) | 1 << 1 | (128 << 10) << 3
            frame += [0, 8, 16].map { UInt8(truncatingIfNeeded: header >> $0) } + [0]
        }
        return frame
    }

    static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        let sum = unsafe bytes.withUnsafeBytes { unsafe XXHash64.hash($0) }
        return bytes + [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: sum >> $0) }
    }
}
