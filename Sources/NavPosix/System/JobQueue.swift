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
        pthread_cond_init(condition, nil)
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

    /// All queued jobs, in order; waits for one. Nil when the queue is closed and empty.
    package func takeAll() -> [Job]? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while jobs.isEmpty {
            if isClosed { return nil }
            pthread_cond_wait(condition, mutex)
        }
        return takeQueued()
    }

    /// What is queued, in order, without waiting: nothing when nothing is. Nil when the queue is closed and empty.
    package func takeAvailable() -> [Job]? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return jobs.isEmpty && isClosed ? nil : takeQueued()
    }

    /// Call only while `mutex` is held.
    private func takeQueued() -> [Job] {
        let taken = jobs
        jobs = []
        return taken
    }
}
