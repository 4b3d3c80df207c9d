// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A queue between threads whose reader sleeps while it is empty.
package final class JobQueue<Job: Sendable>: @unchecked Sendable {
    // Unchecked: `jobs` and `isClosed` are touched only while `mutex` is held; the two pointers never change.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [Job] = []
    private var isClosed = false

    package init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Adds a job and wakes the reader. After `close` jobs are dropped.
    package func append(_ job: Job) {
        pthread_mutex_lock(mutex)
        if !isClosed { jobs.append(job) }
        pthread_mutex_unlock(mutex)
        pthread_cond_signal(condition)
    }

    /// Lets the reader take what is queued and then see the end.
    package func close() {
        pthread_mutex_lock(mutex)
        isClosed = true
        pthread_mutex_unlock(mutex)
        pthread_cond_broadcast(condition)
    }

    /// All queued jobs, in order; waits for one, for ever or `nanoseconds` long: then there are none. Nil when the queue is
    /// closed and empty.
    package func takeAll(within nanoseconds: UInt64? = nil) -> [Job]? {
        let deadline = nanoseconds.map { SystemClock.deadline(in: $0) }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while jobs.isEmpty {
            if isClosed { return nil }
            guard var deadline else {
                pthread_cond_wait(condition, mutex)
                continue
            }
            // Out of time, or a deadline that is none: either way nobody waits any longer.
            if pthread_cond_timedwait(condition, mutex, &deadline) != 0 { break }
        }
        return takeQueued()
    }

    /// Call only while `mutex` is held.
    private func takeQueued() -> [Job] {
        let taken = jobs
        jobs = []
        return taken
    }
}
