// SPDX-License-Identifier: Apache-2.0
import Glibc

/// One attempt to connect, without blocking the loop.
///
/// A name is resolved first; its addresses are tried in turn; the deadline is for all of it. The completion is called
/// exactly once, in the loop's thread, unless `cancel` came first.
package final class Dialer: ReadinessHandler {
    private let loop: EventLoop
    private let resolver: Resolver
    private let address: SocketAddress
    /// Let go when the dial is over: it may hold whoever holds the dialler.
    private var completion: ((Result<Int32, PosixError>) -> Void)?
    private var descriptor: Int32 = -1
    private var remaining: [SystemAddress] = []
    private var lastFailure: PosixError?
    private var timer: LoopTimer?
    private var startTimer: LoopTimer?
    private var question: Resolver.Ticket?
    private var isFinished = false

    /// Refuses an address that a name was resolved to, with the reason; nil allows it.
    package typealias AddressRule = (IPAddress) -> String?

    /// Starts dialling. On success the receiver owns the connected, non-blocking descriptor.
    package init(
        loop: EventLoop, resolver: Resolver, address: SocketAddress, deadline: UInt64, rule: @escaping AddressRule,
        completion: @escaping (Result<Int32, PosixError>) -> Void
    ) {
        self.loop = loop
        self.resolver = resolver
        self.address = address
        self.completion = completion
        let timer = loop.makeTimer { [weak self] in self?.deadlineReached() }
        timer.arm(at: deadline)
        self.timer = timer
        switch address {
        case .unix(let path):
            remaining = [SystemAddress.unix(path)]
            // In a later round: the caller has not got the dialler yet.
            connectSoon()
        case .tcp(let host, let port):
            question = resolver.resolve(host) { [weak self] result in self?.resolved(result, port: port, rule: rule) }
        }
    }

    /// Gives up without a word.
    package func cancel() {
        end()
        completion = nil
    }

    private var operation: String { "connect to \(address)" }

    private func connectSoon() {
        let soon = loop.makeTimer { [weak self] in self?.tryNext() }
        soon.arm(at: 0)
        startTimer = soon
    }

    private func resolved(_ result: Result<[IPAddress], PosixError>, port: UInt16, rule: AddressRule) {
        guard !isFinished else { return }
        switch result {
        case .failure(let failure): lastFailure = failure
        case .success(let addresses):
            for address in addresses {
                if let refusal = rule(address) {
                    lastFailure = PosixError(errno: EACCES, operation: operation, hint: refusal)
                } else {
                    remaining.append(SystemAddress.tcp(address, port: port))
                }
            }
        }
        connectSoon()
    }

    private func tryNext() {
        guard !isFinished else { return }
        guard !remaining.isEmpty else {
            return finish(.failure(lastFailure ?? PosixError(errno: EHOSTUNREACH, operation: operation)))
        }
        let target = remaining.removeFirst()
        descriptor = target.makeSocket()
        guard descriptor >= 0 else { return failed(errno) }
        if target.family != AF_UNIX { configureTCP(descriptor) }
        if target.connect(descriptor) == 0 { return connected() }
        // A Unix socket whose backlog is full answers EAGAIN and never becomes writable: that is a failure.
        guard errno == EINPROGRESS else { return failed(errno) }
        do {
            try loop.register(descriptor, for: .writable, handler: self)
        } catch {
            failed(error.errno)
        }
    }

    package func descriptorReady(_ readiness: Readiness) {
        var failure: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &length) == 0 else { return failed(errno) }
        failure == 0 ? connected() : failed(failure)
    }

    private func connected() {
        loop.unregister(descriptor)
        let connected = descriptor
        descriptor = -1
        finish(.success(connected))
    }

    private func failed(_ failure: Int32) {
        dropDescriptor()
        lastFailure = PosixError(errno: failure, operation: operation)
        remaining.isEmpty ? tryNext() : connectSoon()
    }

    private func deadlineReached() {
        finish(.failure(PosixError(errno: ETIMEDOUT, operation: operation)))
    }

    private func finish(_ result: Result<Int32, PosixError>) {
        guard !isFinished else { return }
        end()
        let completion = completion
        self.completion = nil
        completion?(result)
    }

    private func end() {
        isFinished = true
        timer?.cancel()
        startTimer?.cancel()
        resolver.withdraw(question)
        dropDescriptor()
    }

    private func dropDescriptor() {
        guard descriptor >= 0 else { return }
        loop.unregister(descriptor)
        close(descriptor)
        descriptor = -1
    }
}
