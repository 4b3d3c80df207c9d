// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Who owns a connection and hears of it, in the loop's thread.
package protocol ConnectionOwner: AnyObject {
    /// The other end's first byte was not one of TLS: what follows is plain. Said once, before the first bytes, by a
    /// connection that was told to look.
    func connectionIsPlain(_ connection: Connection)
    /// The handshake is done: `endpoint` knows who is there. Said once, before the first bytes.
    func connectionSecured(_ connection: Connection, _ endpoint: TLSEndpoint)
    /// Bytes have come, decrypted if the connection is secure. They are valid until the call returns.
    func connection(_ connection: Connection, received bytes: UnsafeRawBufferPointer)
    /// The other side sends no more but may still read: answer what it asked, then `closeAfterFlush`.
    func connectionInputEnded(_ connection: Connection)
    /// The socket has taken all that was given.
    func connectionDrained(_ connection: Connection)
    /// The connection is gone; nothing more will be heard of it. Nil when we closed it or the other side ended in
    /// order.
    func connectionClosed(_ connection: Connection, _ failure: PosixError?)
}

/// An owner that asks for no security hears neither of these.
extension ConnectionOwner {
    package func connectionIsPlain(_ connection: Connection) {}
    package func connectionSecured(_ connection: Connection, _ endpoint: TLSEndpoint) {}
}

/// One stream socket: reads when there is something, writes what is given, closes exactly once. TLS, when it is asked
/// for, is between the socket and everything else here.
package final class Connection: ReadinessHandler {
    /// The owner's name for it.
    package let token: UInt64
    private let loop: EventLoop
    private var descriptor: Int32
    // Unowned: it outlives the connection, by the contract of `init`, and is told here of the end.
    private unowned let owner: any ConnectionOwner
    private var queue = WriteQueue()
    private var interest: Readiness = .readable
    private var inputIsOpen = true
    private var readingIsPaused = false
    private var readingIsHeld = false
    private var closesWhenFlushed = false
    /// Why it will close in the next round.
    private var failure: PosixError?
    /// The only timer there ever is, whatever wants the connection closed and when.
    private var closeTimer: LoopTimer?
    private var endpoint: TLSEndpoint?
    private var isSecured = false
    private var makeEndpoint: (() throws(TLSError) -> TLSEndpoint)?
    /// Why TLS ended the connection.
    package private(set) var tlsFailure: TLSError?

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

    // MARK: Security

    /// The first byte of every TLS record that may come first: the type of a handshake. No frame of ours starts with it.
    package static let tlsFirstByte: UInt8 = 22

    /// Speaks TLS from the first byte on. Call it right after `init`.
    package func secure(with endpoint: TLSEndpoint) {
        self.endpoint = endpoint
        if case .dialling = endpoint.role {
            do throws(TLSError) { try endpoint.start() } catch { return failSecurity(error) }
        }
        sendOutput(of: endpoint)
    }

    /// Speaks TLS if the other end begins with it, else nothing but plain bytes. Call it right after `init`.
    package func secureIfOffered(_ makeEndpoint: @escaping () throws(TLSError) -> TLSEndpoint) {
        self.makeEndpoint = makeEndpoint
    }

    /// Decides by the first byte. False when the connection ended over it.
    private func look(at bytes: UnsafeRawBufferPointer) -> Bool {
        guard let makeEndpoint, let first = bytes.first else { return true }
        self.makeEndpoint = nil
        guard first == Self.tlsFirstByte else {
            owner.connectionIsPlain(self)
            return !isClosed
        }
        do throws(TLSError) {
            endpoint = try makeEndpoint()
            return true
        } catch {
            failSecurity(error)
            return false
        }
    }

    private func received(_ bytes: UnsafeRawBufferPointer, by endpoint: TLSEndpoint) {
        let plain: [UInt8]
        do throws(TLSError) { plain = try endpoint.receive(bytes) } catch {
            if error.code == .closed { return endInput() }
            return failSecurity(error)
        }
        sendOutput(of: endpoint)
        if endpoint.isReady, !isSecured, !isClosed {
            isSecured = true
            owner.connectionSecured(self, endpoint)
        }
        guard !plain.isEmpty, !isClosed else { return }
        plain.withUnsafeBytes { owner.connection(self, received: $0) }
    }

    @discardableResult
    private func sendOutput(of endpoint: TLSEndpoint) -> Bool { sendRaw(endpoint.takeOutput()) }

    /// Sends the alert that tells the other end why, as far as the socket takes it now, and closes in the next round.
    private func failSecurity(_ failure: TLSError) {
        guard tlsFailure == nil else { return }
        tlsFailure = failure
        if let alert = endpoint?.takeOutput(), queue.isEmpty { _ = write(alert) }
        failLater(EPROTO, operation: "secure a connection", hint: failure.reason)
    }

    private func endInput() {
        inputIsOpen = false
        adjustInterest()
        owner.connectionInputEnded(self)
    }

    // MARK: Writing

    /// Writes `bytes` now as far as the socket takes them and keeps the rest in order. False when some were kept:
    /// `connectionDrained` will say when they are gone.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        guard let endpoint else { return sendRaw(bytes) }
        guard !isClosed, !bytes.isEmpty, tlsFailure == nil else { return true }
        do throws(TLSError) { try endpoint.send(bytes) } catch {
            failSecurity(error)
            return true
        }
        return sendOutput(of: endpoint)
    }

    private func sendRaw(_ bytes: [UInt8]) -> Bool {
        guard !isClosed, failure == nil, !bytes.isEmpty else { return true }
        guard queue.isEmpty else {
            queue.append(bytes, from: 0)
            adjustInterest()
            return false
        }
        let written = write(bytes)
        if written == bytes.count {
            closeIfFinished()
            return true
        }
        if written < 0, errno != EAGAIN {
            // The owner may be in the middle of a list of actions: it hears of the end in the loop's next round.
            failLater(errno, operation: "write to a connection")
            return true
        }
        queue.append(bytes, from: max(0, written))
        adjustInterest()
        return false
    }

    /// How much of `bytes` the socket takes now; -1 and errno when it takes no more at all.
    private func write(_ bytes: [UInt8]) -> Int {
        bytes.withUnsafeBytes { raw in
            retryingInterrupts { Glibc.send(descriptor, raw.baseAddress, raw.count, sendFlags) }
        }
    }

    /// Takes nothing more in, and closes when everything is written or at `deadline` (monotonic nanoseconds).
    package func closeAfterFlush(deadline: UInt64) {
        guard !isClosed, !closesWhenFlushed else { return }
        if let endpoint, tlsFailure == nil {
            endpoint.close()
            sendOutput(of: endpoint)
        }
        guard !isClosed else { return }
        closesWhenFlushed = true
        guard !queue.isEmpty else { return close() }
        closeAtLatest(by: deadline)
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
        owner.connectionClosed(self, self.failure ?? failure)
    }

    /// Closes in the next round, for the first reason that was given. Nothing more is read, or taken to be sent.
    private func failLater(_ failure: Int32, operation: String, hint: String? = nil) {
        guard !isClosed, self.failure == nil else { return }
        self.failure = PosixError(errno: failure, operation: operation, hint: hint)
        closeAtLatest(by: 0)
        adjustInterest()
    }

    /// An earlier time that was set before stands.
    private func closeAtLatest(by deadline: UInt64) {
        let timer = closeTimer ?? loop.makeTimer { [weak self] in self?.close() }
        closeTimer = timer
        timer.arm(at: min(deadline, timer.deadline ?? .max))
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

    private var wantsToRead: Bool {
        inputIsOpen && failure == nil && !readingIsPaused && !readingIsHeld && !closesWhenFlushed
    }

    /// One read per round: a connection that always has more does not starve the others, and level-triggered epoll
    /// reports it again.
    private func readOnce() {
        let buffer = loop.readBuffer
        let count = retryingInterrupts {
            recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        }
        if count > 0 {
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            guard look(at: bytes) else { return }
            if let endpoint {
                received(bytes, by: endpoint)
            } else {
                owner.connection(self, received: bytes)
            }
        } else if count == 0 {
            endInput()
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
            failLater(error.errno, operation: "write to a connection")
        }
    }

    private func socketError() -> PosixError? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &value, &length) == 0, value != 0 else { return nil }
        return PosixError(errno: value, operation: "use a connection")
    }
}
