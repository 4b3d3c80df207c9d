// SPDX-License-Identifier: Apache-2.0

/// Cuts a byte stream into frames.
///
/// A length above the limit is refused as soon as its four bytes are here, before any payload is buffered. After an
/// error the cutter yields nothing more: a stream that lied once has no next frame. A frame must be dropped before the
/// cutter is used again, else the buffer is copied.
package struct FrameCutter: Sendable {
    private var buffer: [UInt8] = []
    private var start = 0
    private var hasFailed = false

    package init() {}

    /// Bytes that wait to be cut.
    package var bufferedByteCount: Int { buffer.count - start }

    /// Memory that they take.
    package var heldByteCount: Int { buffer.capacity }

    package mutating func append(_ bytes: some Collection<UInt8>) {
        guard !hasFailed else { return }
        dropCut()
        buffer.append(contentsOf: bytes)
    }

    /// The next whole frame, or nil when more bytes are needed.
    package mutating func next(limit: Int) throws(SyncError) -> Frame? {
        guard !hasFailed, bufferedByteCount >= 4 else { return nil }
        var length = 0
        for index in start..<start + 4 { length = length << 8 | Int(buffer[index]) }
        guard length <= limit else {
            fail()
            throw .frameTooLarge(length, limit: limit)
        }
        let payload = start + Frame.headerByteCount
        guard buffer.count - payload >= length else { return nil }
        start = payload + length
        return Frame(type: buffer[payload - 1], payload: ByteReader(buffer, in: payload..<start))
    }

    /// The type of the next frame, as soon as its header is here.
    package var nextType: UInt8? {
        bufferedByteCount >= Frame.headerByteCount ? buffer[start + Frame.headerByteCount - 1] : nil
    }

    /// Gives back memory that a burst took. Call when nothing more can be cut for now.
    package mutating func settle() {
        dropCut()
        // The rest of a burst is copied out of it at most once for each time that it grows fourfold.
        guard buffer.capacity > 16 << 10, buffer.count <= buffer.capacity / 4 else { return }
        var rest: [UInt8] = []
        rest.reserveCapacity(buffer.count)
        rest.append(contentsOf: buffer)
        buffer = rest
    }

    /// Yields nothing more.
    package mutating func fail() {
        hasFailed = true
        buffer = []
        start = 0
    }

    private mutating func dropCut() {
        guard start > 0 else { return }
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: true)
        } else {
            buffer.removeSubrange(..<start)
        }
        start = 0
    }
}
