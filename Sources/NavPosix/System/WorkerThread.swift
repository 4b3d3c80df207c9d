// SPDX-License-Identifier: Apache-2.0
import CNavLinux
import Glibc

/// A named POSIX thread for calls that block: the store's commits, name resolution.
///
/// It ends when its body returns; `join` waits for that. Call either `join` or `detach`, once, or what the system keeps of
/// a thread that has ended stays.
package final class WorkerThread: @unchecked Sendable {
    // Unchecked: `thread` is written once, before `init` returns, and only read afterwards.
    private let thread: pthread_t

    /// Starts the thread. `name` is shown by ps and top, at most 15 bytes of it.
    package init(name: String, body: @escaping @Sendable () -> Void) throws(PosixError) {
        let start = Unmanaged.passRetained(ThreadStart(name: name, body: body))
        var thread = pthread_t()
        let failure = pthread_create(&thread, nil, runThread, start.toOpaque())
        guard failure == 0 else {
            start.release()
            throw PosixError(errno: failure, operation: "start the thread \(name)")
        }
        self.thread = thread
    }

    /// Waits until the body has returned.
    package func join() { pthread_join(thread, nil) }

    /// Nobody will wait for it.
    package func detach() { pthread_detach(thread) }
}

private final class ThreadStart: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}

private let runThread: @convention(c) @Sendable (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
    guard let argument else { return nil }
    let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
    nav_name_this_thread(start.name)
    start.body()
    return nil
}
