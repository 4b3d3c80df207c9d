// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Resolves names in threads, a few at once: a name server that does not answer delays those who ask for its names.
///
/// A thread has one name and ends with its answer. Nobody waits for its end: the C library cannot be told to give up, and
/// must hold up neither a dial's deadline nor the process's exit. A name has one thread, however many ask for it and
/// however often. Names that took long the last time share half of the threads, so that the others get through.
package final class Resolver {
    package typealias Answer = Result<[IPAddress], PosixError>

    /// Somebody who waits for a name.
    package struct Ticket: Hashable, Sendable {
        fileprivate let host: String
        fileprivate let number: UInt64
    }

    private struct Reply: Sendable {
        let host: String
        let answer: Answer
    }

    private let loop: EventLoop
    private let threadLimit: Int
    private let slowNanoseconds: UInt64
    private let lookUp: @Sendable (String) -> Answer
    /// Who waits for each name.
    private var waiting: [String: [(ticket: Ticket, completion: (Answer) -> Void)]] = [:]
    /// Names that wait for a thread, in the order in which they were first asked for.
    private var queue: [String] = []
    /// Names that have a thread, and since when.
    private var startedAt: [String: UInt64] = [:]
    /// Names that took long the last time.
    private var slow: Set<String> = []
    private var nextNumber: UInt64 = 0
    private var answers: Mailbox<Reply>?

    /// So many names are remembered as slow; then all of them have to prove it again.
    private static let slowLimit = 1000

    /// `lookUp` is called in threads, in at most `threadLimit` at once. A name that takes longer than `slowNanoseconds` is
    /// slow.
    package init(
        loop: EventLoop, threadLimit: Int = 8, slowNanoseconds: UInt64 = 2_000_000_000,
        lookUp: @escaping @Sendable (String) -> Answer = { Resolver.lookUp($0) }
    ) {
        self.loop = loop
        self.threadLimit = threadLimit
        self.slowNanoseconds = slowNanoseconds
        self.lookUp = lookUp
    }

    /// Calls `completion` in the loop's thread with at least one address, or with why there is none. Numeric
    /// addresses are answered at once, and there is nothing to withdraw then.
    @discardableResult
    package func resolve(_ host: String, completion: @escaping (Answer) -> Void) -> Ticket? {
        if let numeric = IPAddress(host) {
            completion(.success([numeric]))
            return nil
        }
        nextNumber += 1
        let ticket = Ticket(host: host, number: nextNumber)
        if waiting[host] == nil, startedAt[host] == nil { queue.append(host) }
        waiting[host, default: []].append((ticket, completion))
        startThreads()
        return ticket
    }

    /// Whoever asked waits no longer: the completion is not called, and a name that nobody waits for is not asked for,
    /// unless it is already.
    package func withdraw(_ ticket: Ticket?) {
        guard let host = ticket?.host, var rest = waiting[host] else { return }
        rest.removeAll { $0.ticket == ticket }
        waiting[host] = rest.isEmpty ? nil : rest
        if rest.isEmpty { queue.removeAll { $0 == host } }
    }

    // MARK: Threads

    private func startThreads() {
        while startedAt.count < threadLimit, let place = queue.firstIndex(where: mayStart) {
            let host = queue.remove(at: place)
            do {
                try startThread(for: host)
                startedAt[host] = SystemClock.monotonicNanoseconds()
            } catch {
                complete(host, .failure(error))
            }
        }
    }

    private func mayStart(_ host: String) -> Bool {
        guard slow.contains(host) else { return true }
        return startedAt.keys.count { slow.contains($0) } < max(1, threadLimit / 2)
    }

    private func startThread(for host: String) throws(PosixError) {
        let mailbox = answers ?? loop.makeMailbox { [weak self] (reply: Reply) in self?.answered(reply) }
        answers = mailbox
        try WorkerThread(name: "navsync-resolve") { [lookUp] in
            mailbox.send(Reply(host: host, answer: lookUp(host)))
        }.detach()
    }

    private func answered(_ reply: Reply) {
        let took = SystemClock.monotonicNanoseconds() - (startedAt.removeValue(forKey: reply.host) ?? 0)
        if took < slowNanoseconds {
            slow.remove(reply.host)
        } else {
            if slow.count >= Self.slowLimit { slow = [] }
            slow.insert(reply.host)
        }
        complete(reply.host, reply.answer)
        startThreads()
    }

    private func complete(_ host: String, _ answer: Answer) {
        for (_, completion) in waiting.removeValue(forKey: host) ?? [] { completion(answer) }
    }

    // MARK: One name

    /// Asks the C library, and waits for it.
    package static func lookUp(_ host: String) -> Result<[IPAddress], PosixError> {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let failure = getaddrinfo(host, nil, &hints, &list)
        guard failure == 0 else {
            let reason = failure == EAI_SYSTEM ? PosixError.text(of: errno) : String(cString: gai_strerror(failure))
            return .failure(PosixError(errno: EHOSTUNREACH, operation: "resolve \(host)", hint: reason))
        }
        defer { freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var entry = list
        while let info = entry?.pointee {
            if let pointer = info.ai_addr, let address = IPAddress(socketAddress: UnsafeRawPointer(pointer)),
                !addresses.contains(address)
            {
                addresses.append(address)
            }
            entry = info.ai_next
        }
        guard !addresses.isEmpty else {
            return .failure(PosixError(errno: EHOSTUNREACH, operation: "resolve \(host)", hint: "no address"))
        }
        return .success(addresses)
    }
}
