// SPDX-License-Identifier: Apache-2.0
import Glibc

/// One attempt to connect, without blocking the loop.
///
/// A name is resolved first. Its addresses are tried in turn, each with a short head start before the next: one that does
/// not answer hides none after it. The first to connect wins, and the others are closed. The deadline is for all of it.
/// The completion is called exactly once, in the loop's thread, unless `cancel` came first.
package final class Dialer {
    private let loop: EventLoop
    private let resolver: Resolver
    private let address: SocketAddress
    /// Let go when the dial is over: it may hold whoever holds the dialler.
    private var completion: ((Result<Int32, PosixError>) -> Void)?
    /// Addresses that were not tried yet, and those that have not answered yet, longest first.
    private var remaining: [SystemAddress] = []
    private var attempts: [DialAttempt] = []
    private var lastFailure: PosixError?
    private var timer: LoopTimer?
    private var startTimer: LoopTimer?
    private var question: Resolver.Ticket?
    private var isFinished = false

    /// As long as RFC 8305 recommends: most addresses that answer at all have done so by then.
    private static let headStartNanoseconds: UInt64 = 250_000_000
    /// So many addresses are waited for at once; the first of them makes room for one more.
    private static let attemptLimit = 8

    /// Refuses an address that a name was resolved to, with the reason; nil allows it.
    package typealias AddressRule = (IPAddress) -> String?

    /// Starts dialling. On success the receiver owns the connected, non-blocking descriptor. `turn` says with which of a
    /// name's addresses to begin: who connects and is of no use would else be dialled for ever.
    package init(
        loop: EventLoop, resolver: Resolver, address: SocketAddress, turn: UInt = 0, deadline: UInt64,
        rule: @escaping AddressRule,
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
            question = resolver.resolve(host) { [weak self] result in
                self?.resolved(result.map { Self.turned($0, turn) }, port: port, rule: rule)
            }
        }
    }

    deinit { for attempt in attempts { attempt.close() } }

    private static func turned(_ addresses: [IPAddress], _ turn: UInt) -> [IPAddress] {
        let first = addresses.isEmpty ? 0 : Int(turn % UInt(addresses.count))
        return Array(addresses[first...] + addresses[..<first])
    }

    /// Gives up without a word.
    package func cancel() {
        end()
        completion = nil
    }

    private var operation: String { "connect to \(address)" }

    private func connectSoon() {
        let soon = startTimer ?? loop.makeTimer { [weak self] in self?.tryNext() }
        startTimer = soon
        soon.arm(at: 0)
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
        guard !remaining.isEmpty else { return finishIfNothingIsLeft() }
        let attempt = DialAttempt(loop: loop) { [weak self] in self?.ended($0, $1) }
        switch attempt.start(remaining.removeFirst()) {
        case nil: wait(for: attempt)
        case 0: finish(.success(attempt.takeDescriptor()))
        case let failure?:
            attempt.close()
            failed(failure)
        }
    }

    private func wait(for attempt: DialAttempt) {
        attempts.append(attempt)
        guard !remaining.isEmpty else { return }
        if attempts.count >= Self.attemptLimit {
            attempts.removeFirst().close()
            lastFailure = PosixError(errno: ETIMEDOUT, operation: operation)
        }
        startTimer?.arm(at: SystemClock.monotonicNanoseconds() + Self.headStartNanoseconds)
    }

    private func ended(_ attempt: DialAttempt, _ failure: Int32) {
        guard !isFinished, attempts.contains(where: { $0 === attempt }) else { return }
        attempts.removeAll { $0 === attempt }
        guard failure != 0 else { return finish(.success(attempt.takeDescriptor())) }
        attempt.close()
        failed(failure)
    }

    private func failed(_ failure: Int32) {
        lastFailure = PosixError(errno: failure, operation: operation)
        remaining.isEmpty ? finishIfNothingIsLeft() : connectSoon()
    }

    private func finishIfNothingIsLeft() {
        guard attempts.isEmpty else { return }
        finish(.failure(lastFailure ?? PosixError(errno: EHOSTUNREACH, operation: operation)))
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
        for attempt in attempts { attempt.close() }
        attempts = []
    }
}
