// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A write to a closed connection is an error and not a signal, whatever the process does about SIGPIPE; and it never
/// blocks, even on a descriptor that was handed over in blocking mode.
let sendFlags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)

/// Bytes that a socket has not taken yet, as the chunks in which they came.
struct WriteQueue {
    private var chunks: [[UInt8]] = []
    /// The first chunk that is not written in full.
    private var head = 0
    /// How much of it is.
    private var headOffset = 0
    private(set) var byteCount = 0

    /// Chunks per system call: enough to fill a socket buffer, far below IOV_MAX.
    private static let chunksPerCall = 64

    var isEmpty: Bool { byteCount == 0 }

    /// Adds a chunk of which the first `offset` bytes are written already.
    mutating func append(_ chunk: [UInt8], from offset: Int) {
        guard offset < chunk.count else { return }
        if isEmpty {
            chunks.removeAll(keepingCapacity: true)
            head = 0
            headOffset = offset
        }
        // Only the first chunk can be written in part, so `offset` is 0 for all others.
        chunks.append(chunk)
        byteCount += chunk.count - offset
    }

    /// Writes what the socket takes, in one gathering call per 64 chunks; the errno when it failed for another reason
    /// than being full.
    mutating func flush(to descriptor: Int32) -> Int32? {
        while !isEmpty {
            let written = send(to: descriptor)
            if written < 0 { return errno == EAGAIN ? nil : errno }
            let wanted = min(byteCount, written)
            consume(wanted)
        }
        return nil
    }

    mutating func removeAll() { self = WriteQueue() }

    private func send(to descriptor: Int32) -> Int {
        let batch = chunks[head..<min(chunks.count, head + Self.chunksPerCall)]
        return withUnsafeTemporaryAllocation(of: iovec.self, capacity: batch.count) { vectors in
            for (index, chunk) in batch.enumerated() {
                chunk.withUnsafeBytes { raw in
                    // The array is kept alive by `chunks` until the call below has returned, and is not written to.
                    let offset = index == 0 ? headOffset : 0
                    let start = UnsafeMutableRawPointer(mutating: raw.baseAddress.map { $0 + offset })
                    vectors[index] = iovec(iov_base: start, iov_len: raw.count - offset)
                }
            }
            var message = msghdr()
            message.msg_iov = vectors.baseAddress
            message.msg_iovlen = batch.count
            return retryingInterrupts { sendmsg(descriptor, &message, sendFlags) }
        }
    }

    private mutating func consume(_ count: Int) {
        byteCount -= count
        var rest = count
        while rest > 0 {
            let left = chunks[head].count - headOffset
            guard rest >= left else {
                headOffset += rest
                return
            }
            rest -= left
            chunks[head] = []
            head += 1
            headOffset = 0
        }
        if isEmpty {
            chunks.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 1024 {
            chunks.removeFirst(head)
            head = 0
        }
    }
}
