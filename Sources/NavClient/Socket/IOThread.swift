// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A thread of its own for calls that block, so that no task of the program's pool ever does.
///
/// Jobs run one after another, each with the thread's state, which nobody else can reach. The thread ends when its
/// owner is gone and the job that runs has returned.
final class IOThread<State>: Sendable {
    typealias Job = @Sendable (inout State) -> Void

    private let queue = JobQueue<Job>()

    /// Starts the thread; nil when the system has none left.
    init?(makeState: @escaping @Sendable () -> State) {
        let body = ThreadBody { [queue] in
            var state = makeState()
            while let job = queue.next() { job(&state) }
        }
        let context = Unmanaged.passRetained(body)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            return nil
        }
        pthread_detach(thread)
    }

    deinit { queue.close() }

    func enqueue(_ job: @escaping Job) { queue.append(job) }
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Jobs in order, handed from any thread to the one that takes them.
private final class JobQueue<Job: Sendable>: @unchecked Sendable {
    // Unchecked: `jobs` and `isClosed` are touched only while `mutex` is held; the two pointers never change.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [Job] = []
    private var isClosed = false

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func append(_ job: Job) {
        pthread_mutex_lock(mutex)
        jobs.append(job)
        pthread_mutex_unlock(mutex)
        pthread_cond_signal(condition)
    }

    func close() {
        pthread_mutex_lock(mutex)
        isClosed = true
        pthread_mutex_unlock(mutex)
        pthread_cond_signal(condition)
    }

    /// The next job, waiting for it; nil once the queue is closed and empty.
    func next() -> Job? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while jobs.isEmpty {
            if isClosed { return nil }
            pthread_cond_wait(condition, mutex)
        }
        return jobs.removeFirst()
    }
}
