// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavPosix
import Testing

/// Names whose server is dead cost those who ask for them, and nobody else.
@Suite struct ResolverTests {
    private let server = NameServer()

    private func makeResolver(_ loop: EventLoop, slowNanoseconds: UInt64 = 20_000_000) -> Resolver {
        Resolver(loop: loop, threadLimit: 4, slowNanoseconds: slowNanoseconds) { [server] in server.lookUp($0) }
    }

    @Test func aNameThatIsNotAnsweredKeepsNoOtherWaiting() throws {
        let loop = try EventLoop()
        let resolver = makeResolver(loop)
        defer { server.release() }
        server.hold(["dead"])
        var answers: [String] = []
        resolver.resolve("dead") { _ in answers.append("dead") }
        for name in ["one", "two", "three"] { resolver.resolve(name) { _ in answers.append(name) } }
        try loop.run(until: "the others") { answers.count == 3 }
        #expect(Set(answers) == ["one", "two", "three"])
        server.release()
        try loop.run(until: "the last") { answers.count == 4 }
    }

    @Test func aDeadNameThatIsAskedForAgainAndAgainTakesOneThread() throws {
        let loop = try EventLoop()
        let resolver = makeResolver(loop)
        defer { server.release() }
        server.hold(["dead"])
        for _ in 0..<10 { resolver.withdraw(resolver.resolve("dead") { _ in Issue.record("a withdrawn question") }) }
        var answers = 0
        for _ in 0..<3 { resolver.resolve("dead") { _ in answers += 1 } }
        var isAnswered = false
        resolver.resolve("alive") { _ in isAnswered = true }
        try loop.run(until: "the other") { isAnswered }
        server.release()
        try loop.run(until: "one answer for all") { answers == 3 }
        #expect(server.asked.count { $0 == "dead" } == 1)
    }

    @Test func moreDeadNamesThanThreadsLeaveRoomForTheOthersOnceTheyAreKnown() throws {
        let loop = try EventLoop()
        let resolver = makeResolver(loop)
        defer { server.release() }
        let dead = (0..<12).map { "dead-\($0)" }
        server.hold(dead)
        var failures = 0
        for name in dead { resolver.resolve(name) { _ in failures += 1 } }
        // Each is let go after longer than a name may take.
        let tick = loop.makeTimer {}
        try loop.run(until: "all failures") {
            server.release(after: 40_000_000)
            tick.arm(at: SystemClock.monotonicNanoseconds() + 5_000_000)
            return failures == dead.count
        }
        server.hold(dead)
        for name in dead { resolver.resolve(name) { _ in } }
        var isAnswered = false
        resolver.resolve("alive") { _ in isAnswered = true }
        try loop.run(until: "the other") { isAnswered }
    }

    @Test func noMoreThreadsThanAllowedAndEachNameGetsItsTurn() throws {
        let loop = try EventLoop()
        let resolver = makeResolver(loop)
        var answers: [String] = []
        for number in 0..<200 { resolver.resolve("name-\(number)") { _ in answers.append("name-\(number)") } }
        try loop.run(until: "all answers") { answers.count == 200 }
        #expect(Set(answers).count == 200)
        #expect(server.mostAtOnce <= 4)
    }

    @Test func aQuestionThatNobodyWaitsForIsNotAsked() throws {
        let loop = try EventLoop()
        let resolver = makeResolver(loop)
        defer { server.release() }
        let dead = (0..<4).map { "dead-\($0)" }
        server.hold(dead)
        for name in dead { resolver.resolve(name) { _ in } }
        let withdrawn = resolver.resolve("withdrawn") { _ in Issue.record("a withdrawn question") }
        var isAnswered = false
        resolver.resolve("last") { _ in isAnswered = true }
        resolver.withdraw(withdrawn)
        resolver.withdraw(withdrawn)
        server.release()
        try loop.run(until: "the last") { isAnswered }
        #expect(!server.asked.contains("withdrawn"))
    }

    @Test(arguments: [true, false]) func aDialThatEndsWithdrawsItsQuestion(_ isCancelled: Bool) throws {
        let loop = try EventLoop()
        let resolver = makeResolver(loop)
        defer { server.release() }
        let dead = (0..<4).map { "dead-\($0)" }
        server.hold(dead)
        for name in dead { resolver.resolve(name) { _ in } }
        var failure: PosixError?
        let dialer = Dialer(
            loop: loop, resolver: resolver, address: .tcp(host: "late", port: 1),
            deadline: isCancelled ? .max : SystemClock.monotonicNanoseconds() + 5_000_000, rule: { _ in nil },
            completion: { if case .failure(let error) = $0 { failure = error } })
        if isCancelled {
            dialer.cancel()
        } else {
            try loop.run(until: "the deadline") { failure?.errno == ETIMEDOUT }
        }
        var isAnswered = false
        resolver.resolve("last") { _ in isAnswered = true }
        server.release()
        try loop.run(until: "the last") { isAnswered }
        #expect(!server.asked.contains("late"))
    }

    @Test func anAnswerAfterTheEndOfTheResolverGoesNowhere() throws {
        let loop = try EventLoop()
        server.hold(["dead"])
        var resolver: Resolver? = makeResolver(loop)
        resolver?.resolve("dead") { _ in Issue.record("an answer to nobody") }
        resolver = nil
        server.release()
        try loop.run(until: "the end of the question") { server.running == 0 }
        var rounds = 0
        try loop.run(until: "some rounds") {
            rounds += 1
            loop.runAgain()
            return rounds > 10
        }
    }
}

/// A name server of which some names do not answer until they are released.
private final class NameServer: @unchecked Sendable {
    // Unchecked: `state` is touched only while `mutex` is held, which never changes.
    private struct State {
        var held: Set<String> = []
        /// Names that are asked for at the moment, and since when.
        var waiting: [String: UInt64] = [:]
        var asked: [String] = []
        var running = 0
        var mostAtOnce = 0
    }

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var state = State()

    init() { pthread_mutex_init(mutex, nil) }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    private func withLock<Value>(_ body: (inout State) -> Value) -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&state)
    }

    var asked: [String] { withLock { $0.asked } }
    var running: Int { withLock { $0.running } }
    var mostAtOnce: Int { withLock { $0.mostAtOnce } }

    func hold(_ names: [String]) { withLock { $0.held.formUnion(names) } }

    func release() { withLock { $0.held = [] } }

    /// Answers for the names that have been asked for so long.
    func release(after nanoseconds: UInt64) {
        let now = SystemClock.monotonicNanoseconds()
        withLock { state in state.held.subtract(state.waiting.filter { $0.value + nanoseconds <= now }.keys) }
    }

    func lookUp(_ host: String) -> Result<[IPAddress], PosixError> {
        withLock { state in
            state.asked.append(host)
            state.waiting[host] = SystemClock.monotonicNanoseconds()
            state.running += 1
            state.mostAtOnce = max(state.mostAtOnce, state.running)
        }
        while withLock({ $0.held.contains(host) }) { poll(nil, 0, 1) }
        withLock { state in
            state.waiting[host] = nil
            state.running -= 1
        }
        return .failure(PosixError(errno: EHOSTUNREACH, operation: "resolve \(host)"))
    }
}
