// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavPosix
import Synchronization
import Testing

@Suite struct EventLoopTests {
    @Test func timersFireInTheOrderOfTheirDeadlines() throws {
        let loop = try EventLoop()
        var fired: [Int] = []
        let now = SystemClock.monotonicNanoseconds()
        let timers = [3, 1, 2, 5, 4].map { index in
            let timer = loop.makeTimer { fired.append(index) }
            timer.arm(at: now + UInt64(index) * 1_000_000)
            return timer
        }
        try loop.run(until: "all timers") { fired.count == timers.count }
        #expect(fired == [1, 2, 3, 4, 5])
    }

    @Test func aTimerNeverFiresEarly() throws {
        let loop = try EventLoop()
        let deadline = SystemClock.monotonicNanoseconds() + 3_300_000
        var firedAt: UInt64?
        let timer = loop.makeTimer { firedAt = SystemClock.monotonicNanoseconds() }
        timer.arm(at: deadline)
        try loop.run(until: "the timer") { firedAt != nil }
        #expect(try #require(firedAt) >= deadline)
    }

    @Test func aTimerArmedAnewFiresOnceAtItsLastDeadline() throws {
        let loop = try EventLoop()
        let now = SystemClock.monotonicNanoseconds()
        var fired: [String] = []
        let moved = loop.makeTimer { fired.append("moved") }
        let fixed = loop.makeTimer { fired.append("fixed") }
        let last = loop.makeTimer { fired.append("last") }
        moved.arm(at: now + 1_000_000)
        moved.arm(at: now + 500_000)
        moved.arm(at: now + 8_000_000)
        fixed.arm(at: now + 4_000_000)
        last.arm(at: now + 12_000_000)
        try loop.run(until: "the last timer") { fired.last == "last" }
        #expect(fired == ["fixed", "moved", "last"])
    }

    @Test func aCancelledTimerDoesNotFireAndCanBeArmedAgain() throws {
        let loop = try EventLoop()
        let now = SystemClock.monotonicNanoseconds()
        var count = 0
        let timer = loop.makeTimer { count += 1 }
        timer.arm(at: now + 1_000_000)
        timer.cancel()
        var isOver = false
        let end = loop.makeTimer { isOver = true }
        end.arm(at: now + 3_000_000)
        try loop.run(until: "the end") { isOver }
        #expect(count == 0)
        timer.arm(at: 0)
        try loop.run(until: "the timer") { count == 1 }
    }

    @Test func messagesOfAnotherThreadArriveInOrderWhateverTheLoopIsDoing() throws {
        let loop = try EventLoop()
        var received: [Int] = []
        let count = Progress()
        let mailbox = loop.makeMailbox { (number: Int) in
            received.append(number)
            count.advance()
        }
        let thread = try WorkerThread(name: "sender") {
            for number in 0..<20_000 {
                mailbox.send(number)
                // Now and then wait for the loop, so that it is found awake and asleep.
                if number % 1000 == 0 { count.wait(for: number + 1) }
            }
        }
        try loop.run(until: "all messages") { received.count == 20_000 }
        thread.join()
        #expect(received == Array(0..<20_000))
    }

    @Test func anIdleLoopUsesNoProcessorTime() throws {
        let loop = try EventLoop()
        var isOver = false
        let end = loop.makeTimer { isOver = true }
        end.arm(at: SystemClock.monotonicNanoseconds() + 300_000_000)
        let before = threadProcessorMicroseconds()
        try loop.run(until: "the end") { isOver }
        #expect(threadProcessorMicroseconds() - before < 30_000)
    }

    @Test func aDescriptorIsRegisteredOnceAndThenHeardOf() throws {
        let loop = try EventLoop()
        let pipe = try Pipe()
        defer { pipe.close() }
        let first = Recorder()
        let second = Recorder()
        try loop.register(pipe.reader, for: .readable, handler: first)
        #expect(throws: PosixError.self) { try loop.register(pipe.reader, for: .readable, handler: second) }
        pipe.write("x")
        try loop.run(until: "the pipe") { first.count > 0 }
        #expect(second.count == 0)
        loop.unregister(pipe.reader)
    }

    @Test func aClosedDescriptorsEventDoesNotReachTheNextUserOfItsNumber() throws {
        let loop = try EventLoop()
        var pipes = [try Pipe(), try Pipe()]
        let quiet = Recorder()
        let first = Recorder()
        first.onReady = {
            // Both pipes are readable in this round. Close the second and give its number to another one.
            loop.unregister(pipes[1].reader)
            pipes[1].close()
            guard let successor = try? Pipe() else { return }
            try? loop.register(successor.reader, for: .readable, handler: quiet)
            pipes.append(successor)
            loop.unregister(pipes[0].reader)
        }
        let second = Recorder()
        second.onReady = first.onReady
        try loop.register(pipes[0].reader, for: .readable, handler: first)
        try loop.register(pipes[1].reader, for: .readable, handler: quiet)
        pipes[0].write("x")
        pipes[1].write("x")
        try loop.run(until: "the first pipe") { first.count == 1 }
        // Depending on the order in which epoll reports them, the second was heard before or not at all.
        #expect(quiet.count <= 1)
        if pipes.count == 3 { loop.unregister(pipes[2].reader) }
        for pipe in pipes { pipe.close() }
    }
}

/// How far another thread has come.
private final class Progress: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .acquiring) }

    func advance() { count.add(1, ordering: .acquiringAndReleasing) }

    func wait(for target: Int) {
        while value < target { sched_yield() }
    }
}

private final class Recorder: ReadinessHandler {
    var count = 0
    var onReady: () -> Void = {}

    func descriptorReady(_ readiness: Readiness) {
        count += 1
        onReady()
    }
}

private struct Pipe {
    let reader: Int32
    let writer: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw PosixError.last("make a pipe") }
        reader = ends[0]
        writer = ends[1]
    }

    func write(_ text: String) { _ = Glibc.write(writer, text, text.utf8.count) }

    func close() {
        Glibc.close(reader)
        Glibc.close(writer)
    }
}

private func threadProcessorMicroseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
}
