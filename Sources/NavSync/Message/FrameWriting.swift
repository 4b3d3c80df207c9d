// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// A frame around what `write` appends: four bytes of length, the type, the payload.
    package mutating func appendFrame(_ type: MessageType, _ write: (inout [UInt8]) -> Void) {
        let start = beginFrame(type)
        write(&self)
        endFrame(at: start)
    }

    /// Opens a frame; `endFrame` fills in its length.
    package mutating func beginFrame(_ type: MessageType) -> Int {
        let start = count
        append(0)
        append(0)
        append(0)
        append(0)
        append(type.rawValue)
        return start
    }

    package mutating func endFrame(at start: Int) {
        let length = count - start - Frame.headerByteCount
        for index in 0..<4 { self[start + index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * index)) }
    }
}
