// SPDX-License-Identifier: Apache-2.0
import Glibc

/// One socket on its way to one address of a dial.
final class DialAttempt: ReadinessHandler {
    private let loop: EventLoop
    private var descriptor: Int32 = -1
    /// Called once with 0 or an errno, in a later round than `start`, unless `close` came first.
    private let ended: (DialAttempt, Int32) -> Void

    init(loop: EventLoop, ended: @escaping (DialAttempt, Int32) -> Void) {
        self.loop = loop
        self.ended = ended
    }

    /// Nil when the end will be told; else 0 or an errno at once.
    func start(_ target: SystemAddress) -> Int32? {
        descriptor = target.makeSocket()
        guard descriptor >= 0 else { return errno }
        if target.family != AF_UNIX { configureTCP(descriptor) }
        if target.connect(descriptor) == 0 { return 0 }
        // A Unix socket whose backlog is full answers EAGAIN and never becomes writable: that is a failure.
        guard errno == EINPROGRESS else { return errno }
        do {
            try loop.register(descriptor, for: .writable, handler: self)
            return nil
        } catch {
            return error.errno
        }
    }

    func descriptorReady(_ readiness: Readiness) {
        var failure: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        if getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &length) != 0 { failure = errno }
        ended(self, failure)
    }

    /// Hands the descriptor over.
    func takeDescriptor() -> Int32 {
        defer { descriptor = -1 }
        loop.unregister(descriptor)
        return descriptor
    }

    func close() {
        guard descriptor >= 0 else { return }
        Glibc.close(takeDescriptor())
    }
}
