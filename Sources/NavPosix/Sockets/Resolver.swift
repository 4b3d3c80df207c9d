// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Resolves names in a thread of its own: a name server that does not answer delays nobody but the dialler.
///
/// The thread is started by the first name. It is not waited for at the end: a resolver that hangs must not hold up
/// the process's exit.
package final class Resolver {
    private struct Question: Sendable {
        let ticket: UInt64
        let host: String
    }

    private struct Answer: Sendable {
        let ticket: UInt64
        let result: Result<[IPAddress], PosixError>
    }

    private let questions = JobQueue<Question>()
    private var waiting: [UInt64: (Result<[IPAddress], PosixError>) -> Void] = [:]
    private var nextTicket: UInt64 = 0
    private var thread: WorkerThread?
    private var answers: Mailbox<Answer>?
    private let loop: EventLoop

    package init(loop: EventLoop) { self.loop = loop }

    deinit { questions.close() }

    /// Calls `completion` in the loop's thread with at least one address, or with why there is none. Numeric
    /// addresses are answered at once.
    package func resolve(_ host: String, completion: @escaping (Result<[IPAddress], PosixError>) -> Void) {
        if let numeric = IPAddress(host) { return completion(.success([numeric])) }
        do {
            try startThread()
        } catch {
            return completion(.failure(error))
        }
        nextTicket += 1
        waiting[nextTicket] = completion
        questions.append(Question(ticket: nextTicket, host: host))
    }

    private func startThread() throws(PosixError) {
        guard thread == nil else { return }
        let mailbox =
            answers
            ?? loop.makeMailbox { [weak self] (answer: Answer) in
                self?.waiting.removeValue(forKey: answer.ticket)?(answer.result)
            }
        answers = mailbox
        thread = try WorkerThread(name: "navsync-resolve") { [questions] in
            while let batch = questions.takeAll() {
                for question in batch {
                    mailbox.send(Answer(ticket: question.ticket, result: Self.lookUp(question.host)))
                }
            }
        }
    }

    private static func lookUp(_ host: String) -> Result<[IPAddress], PosixError> {
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
            if let address = address(of: info), !addresses.contains(address) { addresses.append(address) }
            entry = info.ai_next
        }
        guard !addresses.isEmpty else {
            return .failure(PosixError(errno: EHOSTUNREACH, operation: "resolve \(host)", hint: "no address"))
        }
        return .success(addresses)
    }

    private static func address(of info: addrinfo) -> IPAddress? {
        guard let pointer = info.ai_addr else { return nil }
        let raw = UnsafeRawPointer(pointer)
        switch info.ai_family {
        case AF_INET:
            return withUnsafeBytes(of: raw.load(as: sockaddr_in.self).sin_addr) { IPAddress(bytes: Array($0)) }
        case AF_INET6:
            return withUnsafeBytes(of: raw.load(as: sockaddr_in6.self).sin6_addr) { IPAddress(bytes: Array($0)) }
        default: return nil
        }
    }
}
