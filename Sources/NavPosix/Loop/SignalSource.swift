// SPDX-License-Identifier: Apache-2.0
import CNavLinux
import Glibc

/// Signals as events of the loop.
///
/// `block` must run before the first thread starts, so that every thread inherits the mask and a signal can only
/// arrive here.
package final class SignalSource: ReadinessHandler {
    /// The signals a daemon acts on.
    package enum Signal: Sendable { case terminate, interrupt, hangUp }

    private let descriptor: Int32
    private let loop: EventLoop
    private let onSignal: (Signal) -> Void

    /// Blocks the daemon's signals in this thread and in those it will start.
    package static func block() {
        var mask = signalMask()
        pthread_sigmask(SIG_BLOCK, &mask, nil)
    }

    /// A write to a closed pipe or socket becomes EPIPE instead of the end of the process.
    package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    package init(loop: EventLoop, onSignal: @escaping (Signal) -> Void) throws(PosixError) {
        var mask = Self.signalMask()
        descriptor = signalfd(-1, &mask, Int32(SFD_NONBLOCK) | Int32(SFD_CLOEXEC))
        guard descriptor >= 0 else { throw .last("open a signal descriptor") }
        self.loop = loop
        self.onSignal = onSignal
        do {
            try loop.register(descriptor, for: .readable, handler: self)
        } catch {
            Glibc.close(descriptor)
            throw error
        }
    }

    package func close() {
        loop.unregister(descriptor)
        Glibc.close(descriptor)
    }

    package func descriptorReady(_ readiness: Readiness) {
        var information = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        while retryingInterrupts({ read(descriptor, &information, size) }) == size {
            switch Int32(information.ssi_signo) {
            case SIGTERM: onSignal(.terminate)
            case SIGINT: onSignal(.interrupt)
            case SIGHUP: onSignal(.hangUp)
            default: break
            }
        }
    }

    private static func signalMask() -> sigset_t {
        var mask = sigset_t()
        sigemptyset(&mask)
        sigaddset(&mask, SIGTERM)
        sigaddset(&mask, SIGINT)
        sigaddset(&mask, SIGHUP)
        return mask
    }
}
