// SPDX-License-Identifier: Apache-2.0
import NavPosix
import Testing

@Suite struct JobQueueTests {
    @Test func jobsAreTakenInOrder() {
        let queue = JobQueue<Int>()
        for job in 1...3 { queue.append(job) }
        #expect(queue.takeAll() == [1, 2, 3])
        #expect(queue.takeAll(within: 0) == [])
    }

    @Test func aWaitEndsAtItsTimeWithoutJobs() {
        let queue = JobQueue<Int>()
        let start = SystemClock.monotonicNanoseconds()
        #expect(queue.takeAll(within: 3_000_000) == [])
        #expect(SystemClock.monotonicNanoseconds() - start >= 3_000_000)
    }

    @Test func aJobEndsAWait() throws {
        let queue = JobQueue<Int>()
        let thread = try WorkerThread(name: "jobs") { queue.append(7) }
        #expect(queue.takeAll(within: 60_000_000_000) == [7])
        thread.join()
    }

    @Test func aClosedQueueIsEmptiedAndEnds() {
        let queue = JobQueue<Int>()
        queue.append(1)
        queue.close()
        queue.append(2)
        #expect(queue.takeAll(within: 60_000_000_000) == [1])
        #expect(queue.takeAll(within: 60_000_000_000) == nil)
        #expect(queue.takeAll() == nil)
    }
}
