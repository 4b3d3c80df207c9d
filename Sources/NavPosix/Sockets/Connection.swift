// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Who owns a connection and hears of it, in the loop's thread.
package protocol ConnectionOwner: AnyObject {
    /// Bytes have come. They are valid until the call returns.
    func connection(_ connection: Connection, received bytes: UnsafeRawBufferPointer)
    /// The other side sends no more but may still read: answer what it asked, then `closeAfterFlush`.
    func connectionInputEnded(_ connection: Connection)
    /// The socket has taken all that was given.
    func connectionDrained(_ connection: Connection)
    /// The connection is gone; nothing more will be heard of it. Nil when we closed it or the other side ended in
    /// order.
    func connectionClosed(_ connection: Connection, _ failure: PosixError?)
}

/// One stream socket: reads when there is something, writes what is given, closes exactly once.
package final class Connection: ReadinessHandler {
    /// The owner's name for it.
    package let token: UInt64
    private let loop: EventLoop
    private var descriptor: Int32
    private unowned let owner: any ConnectionOwner
    private var queue = WriteQueue()
    private var interest: Readiness = .readable
    private var inputIsOpen = true
    private var readingIsPaused = false
    private var readingIsHeld = false
    private var closesWhenFlushed = false
    private var closeTimer: LoopTimer?

    /// Reading stops while more than this waits to be written: who does not take answers gets no more of them.
    package static let pauseByteCount = 4 << 20
    /// Reading goes on when no more than this is left.
    package static let resumeByteCount = 1 << 20

    /// Takes over a connected, non-blocking descriptor. `owner` must outlive the connection.
    package init(
        loop: EventLoop, descriptor: Int32, token: UInt64, owner: any ConnectionOwner
    ) throws(PosixError) {
        self.loop = loop
        self.descriptor = descriptor
        self.token = token
        self.owner = owner
        try loop.register(descriptor, for: interest, handler: self)
    }

    package var isClosed: Bool { descriptor < 0 }
    /// Bytes that the socket has not taken yet.
    package var pendingByteCount: Int { queue.byteCount }

    /// Stops or resumes reading: what comes meanwhile waits in the kernel, and in time at the sender.
    package func holdReading(_ isHeld: Bool) {
        guard readingIsHeld != isHeld else { return }
        readingIsHeld = isHeld
        adjustInterest()
    }

    // MARK: Writing

    /// Writes `bytes` now as far as the socket takes them and keeps the rest in order. False when some were kept:
    /// `connectionDrained` will say when they are gone.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        guard !isClosed, !bytes.isEmpty else { return true }
        guard queue.isEmpty else {
            queue.append(bytes, from: 0)
            adjustInterest()
            return false
        }
        let written = bytes.withUnsafeBytes { raw in
            retryingInterrupts { Glibc.send(descriptor, raw.baseAddress, raw.count, sendFlags) }
        }
        if written == bytes.count {
            closeIfFinished()
            return true
        }
        if written < 0, errno != EAGAIN {
            // The owner may be in the middle of a list of actions: it hears of the end in the loop's next round.
            failLater(errno)
            return true
        }
        queue.append(bytes, from: max(0, written))
        adjustInterest()
        return false
    }

    /// Takes nothing more in, and closes when everything is written or at `deadline` (monotonic nanoseconds).
    package func closeAfterFlush(deadline: UInt64) {
        guard !isClosed else { return }
        closesWhenFlushed = true
        guard !queue.isEmpty else { return close() }
        let timer = loop.makeTimer { [unowned self] in self.close() }
        timer.arm(at: deadline)
        closeTimer = timer
        adjustInterest()
    }

    /// Closes now; what is not written is dropped. Later calls do nothing.
    package func close() { close(nil) }

    private func close(_ failure: PosixError?) {
        guard !isClosed else { return }
        loop.unregister(descriptor)
        Glibc.close(descriptor)
        descriptor = -1
        queue.removeAll()
        closeTimer?.cancel()
        closeTimer = nil
        owner.connectionClosed(self, failure)
    }

    private func failLater(_ failure: Int32) {
        let timer = loop.makeTimer { [unowned self] in
            self.close(PosixError(errno: failure, operation: "write to a connection"))
        }
        timer.arm(at: 0)
        closeTimer = timer
        inputIsOpen = false
        adjustInterest()
    }

    private func closeIfFinished() {
        if closesWhenFlushed, queue.isEmpty { close() }
    }

    // MARK: Readiness

    package func descriptorReady(_ readiness: Readiness) {
        if readiness.contains(.readable), wantsToRead { readOnce() }
        if !isClosed, readiness.contains(.writable) { flush() }
        guard !isClosed, !readiness.isDisjoint(with: [.hungUp, .failed]) else { return }
        // Both directions are gone. What was still to be read has been, unless reading is paused: then nobody could
        // be answered anyway.
        if !(readiness.contains(.readable) && wantsToRead) { close(socketError()) }
    }

    private var wantsToRead: Bool { inputIsOpen && !readingIsPaused && !readingIsHeld && !closesWhenFlushed }

    /// One read per round: a connection that always has more does not starve the others, and level-triggered epoll
    /// reports it again.
    private func readOnce() {
        let buffer = loop.readBuffer
        let count = retryingInterrupts {
            recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        }
        if count > 0 {
            owner.connection(self, received: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        } else if count == 0 {
            inputIsOpen = false
            adjustInterest()
            owner.connectionInputEnded(self)
        } else if errno != EAGAIN {
            close(.last("read from a connection"))
        }
    }

    private func flush() {
        if let failure = queue.flush(to: descriptor) {
            return close(PosixError(errno: failure, operation: "write to a connection"))
        }
        adjustInterest()
        guard queue.isEmpty, !isClosed else { return }
        if closesWhenFlushed { return close() }
        owner.connectionDrained(self)
    }

    private func adjustInterest() {
        guard !isClosed else { return }
        if queue.byteCount > Self.pauseByteCount { readingIsPaused = true }
        if queue.byteCount <= Self.resumeByteCount { readingIsPaused = false }
        var wanted: Readiness = []
        if wantsToRead { wanted.insert(.readable) }
        if !queue.isEmpty { wanted.insert(.writable) }
        guard wanted != interest else { return }
        interest = wanted
        do {
            try loop.update(descriptor, for: wanted)
        } catch {
            failLater(error.errno)
        }
    }

    private func socketError() -> PosixError? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &value, &length) == 0, value != 0 else { return nil }
        return PosixError(errno: value, operation: "use a connection")
    }
}
