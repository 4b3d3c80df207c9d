// SPDX-License-Identifier: Apache-2.0
import CNavLinux
import Glibc
import Synchronization

/// A thread of its own for calls that block, so that no task of the program's pool ever does.
///
/// Jobs run one after another, each with the thread's state, which nobody else can reach. The thread ends when its
/// owner is gone and the job that runs has returned.
final class IOThread<State>: Sendable {
    typealias Job = @Sendable (inout State) -> Void

    private let queue: JobQueue<Job>

    /// Starts the thread; nil when the system has no thread or descriptor left.
    init?(makeState: @escaping @Sendable () -> State) {
        guard let queue = JobQueue<Job>() else { return nil }
        self.queue = queue
        let body = ThreadBody {
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

/// Jobs in order, handed from any thread to the one that takes them. An eventfd counts them.
private final class JobQueue<Job: Sendable>: Sendable {
    private struct Content {
        var jobs: [Job] = []
        var isClosed = false
    }

    private let content = Mutex(Content())
    private let counter: Int32

    init?() {
        counter = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_SEMAPHORE))
        if counter < 0 { return nil }
    }

    deinit { Glibc.close(counter) }

    func append(_ job: Job) {
        content.withLock { $0.jobs.append(job) }
        count()
    }

    func close() {
        content.withLock { $0.isClosed = true }
        count()
    }

    /// The next job, waiting for it; nil once the queue is closed and empty.
    func next() -> Job? {
        while true {
            var one: UInt64 = 0
            guard read(counter, &one, MemoryLayout<UInt64>.size) > 0 || errno == EINTR else { return nil }
            let (job, isClosed) = content.withLock { content -> (Job?, Bool) in
                (content.jobs.isEmpty ? nil : content.jobs.removeFirst(), content.isClosed)
            }
            if job != nil || isClosed { return job }
        }
    }

    private func count() {
        var one: UInt64 = 1
        _ = write(counter, &one, MemoryLayout<UInt64>.size)
    }
}
