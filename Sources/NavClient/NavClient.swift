// SPDX-License-Identifier: Apache-2.0
import NavSync
public import NavWire

/// A daemon, for a program: push, pull, list, remove, status and watch.
///
///     let client = try NavClient()
///     if let saved = path.codable { try await client.push(saved.elements(), to: "shop/cart") }
///     for try await change in try await client.watch(prefix: "shop/") {
///         print(change.name, try change.elements() ?? [])
///     }
///
/// Connects at the first call and again when the connection broke. Every call ends within `timeout`, whatever the
/// daemon does, and when its task is cancelled. Calls of one client run one after another, in the order in which they
/// were made; use several clients to have several under way. The work is done on a thread of the client's own.
public final class NavClient: Sendable {
    /// Where the daemon listens.
    public let address: DaemonAddress
    private let timeoutMilliseconds: Int
    private let thread: IOThread<LastingSession>
    /// The version of this package, for programs that say theirs.
    package static let version = Software.version

    /// A client of the daemon at `address`. Nothing is connected yet.
    public init(_ address: DaemonAddress, timeout: Duration = .seconds(5)) throws(NavClientError) {
        guard let thread = IOThread(makeState: { LastingSession(address) }) else { throw .noThread }
        self.address = address
        self.thread = thread
        self.timeoutMilliseconds = timeout.wholeMilliseconds
    }

    /// A client of the daemon that `DaemonAddress.search` finds.
    public convenience init(timeout: Duration = .seconds(5)) throws(NavClientError) {
        try self.init(DaemonAddress.search(), timeout: timeout)
    }

    /// Writes a path, root-most element first. Returns when it is on the daemon's disk.
    @discardableResult
    public func push(
        _ path: [PathElement], to stack: String, expecting expected: ExpectedStack = .anything
    ) async throws(NavClientError) -> WriteReceipt {
        let envelope: [UInt8]
        do throws(NavWireError) {
            envelope = try PathEnvelope.encode(path)
        } catch {
            throw NavClientError(code: error.code == .tooLarge ? .tooLarge : .invalidPath, reason: error.reason)
        }
        return try await push(envelope: envelope, to: stack, expecting: expected)
    }

    /// Writes a path that is encoded already. The daemon checks every byte of it.
    @discardableResult
    public func push(
        envelope: [UInt8], to stack: String, expecting expected: ExpectedStack = .anything
    ) async throws(NavClientError) -> WriteReceipt {
        try await call { session, deadline throws(NavClientError) in
            try session.push(envelope, to: stack, expecting: expected, deadline: deadline)
        }
    }

    /// Reads a stack. One that is not there is `notFound`.
    public func pull(_ stack: String) async throws(NavClientError) -> PulledStack {
        try await call { session, deadline throws(NavClientError) in try session.pull(stack, deadline: deadline) }
    }

    /// Reads a version of a stack by its number in `history(of:)`. One that is not kept any more, or is a removal, is
    /// `notFound`.
    public func pull(_ stack: String, version: UInt64) async throws(NavClientError) -> PulledStack {
        try await call { session, deadline throws(NavClientError) in
            try session.pull(stack, version: version, deadline: deadline)
        }
    }

    /// The versions of a stack that the daemon still has, newest first: the live one, what it overwrote, and what lost
    /// against it. One that never was there is `notFound`.
    public func history(of stack: String) -> StackHistory { StackHistory(client: self, stack: stack) }

    func historyPage(of stack: String, before: UInt64?) async throws(NavClientError) -> HistoryPage {
        try await call { session, deadline throws(NavClientError) in
            try session.historyPage(of: stack, before: before, limit: 100, deadline: deadline)
        }
    }

    /// Puts the version before the live one, or the one of that number, back as a new write: only if nobody writes
    /// meanwhile, else it is `staleBase`. A second undo takes back the first.
    @discardableResult
    public func undo(_ stack: String, to version: UInt64? = nil) async throws(NavClientError) -> UndoReceipt {
        try await call { session, deadline throws(NavClientError) in
            try session.undo(stack, to: version, deadline: deadline)
        }
    }

    /// All stacks whose names begin with `prefix`, in the order of their names as bytes.
    public func list(prefix: String = "") async throws(NavClientError) -> [StackSummary] {
        try await call { session, deadline throws(NavClientError) in
            try session.list(prefix: prefix, deadline: deadline)
        }
    }

    /// Removes a stack here and on every peer. One that is not there is `notFound`.
    @discardableResult
    public func remove(
        _ stack: String, expecting expected: ExpectedStack = .anything
    ) async throws(NavClientError) -> WriteReceipt {
        try await call { session, deadline throws(NavClientError) in
            try session.remove(stack, expecting: expected, deadline: deadline)
        }
    }

    /// What the daemon says of itself and its links, in its order.
    public func status() async throws(NavClientError) -> [StatusFact] {
        try await call { session, deadline throws(NavClientError) in try session.status(deadline: deadline) }
    }

    /// The changes of all stacks whose names begin with `prefix`, from now on; or first what is there.
    ///
    /// When this returns, the watch has begun: a change made afterwards is told. It has a connection of its own.
    public func watch(
        prefix: String = "", startingWithPresent: Bool = false
    ) async throws(NavClientError) -> StackChanges {
        let interruption = Interruption()
        let (address, timeoutMilliseconds) = (address, timeoutMilliseconds)
        let watch = IOThread {
            Watch(
                address: address, prefix: prefix, startsWithPresent: startingWithPresent,
                timeoutMilliseconds: timeoutMilliseconds, interruption: interruption)
        }
        guard let watch else { throw .noThread }
        try await watch.perform(interruption) { watch throws(NavClientError) in try watch.start() }
        return StackChanges(thread: watch, interruption: interruption)
    }

    private func call<Answer: Sendable>(
        _ body: @escaping @Sendable (ClientSession, Deadline) throws(NavClientError) -> Answer
    ) async throws(NavClientError) -> Answer {
        let deadline = Deadline.after(milliseconds: timeoutMilliseconds)
        let interruption = Interruption()
        return try await thread.perform(interruption) { connection throws(NavClientError) in
            try connection.run(deadline, interruption, body)
        }
    }
}

extension IOThread {
    /// Runs a job and waits for its answer without blocking the task; cancelling the task interrupts the job.
    func perform<Answer: Sendable>(
        _ interruption: Interruption, _ job: @escaping @Sendable (inout State) throws(NavClientError) -> Answer
    ) async throws(NavClientError) -> Answer {
        let result: Result<Answer, NavClientError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enqueue { state in
                    let result: Result<Answer, NavClientError>
                    do throws(NavClientError) { result = .success(try job(&state)) } catch { result = .failure(error) }
                    continuation.resume(returning: result)
                }
            }
        } onCancel: {
            interruption.set()
        }
        return try result.get()
    }
}

extension NavClientError {
    static let noThread = Self(code: .refused, reason: "the system has no thread or descriptor left for a client")
}

extension Duration {
    /// At least one.
    fileprivate var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        let limited = min(max(seconds, 0), 86_400)
        return max(1, Int(limited) * 1_000 + Int(attoseconds / 1_000_000_000_000_000))
    }
}
