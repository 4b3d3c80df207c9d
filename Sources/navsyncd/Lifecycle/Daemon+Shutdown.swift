// SPDX-License-Identifier: Apache-2.0
import NavPosix
import NavSync

/// The stop, in its order: STOPPING, listeners, the commit in flight, goodbyes, the store, the end.
///
/// Each step has a deadline, so that neither load nor a peer that does not read nor a slow disk holds it up: killing
/// a daemon at any moment loses nothing that was acknowledged.
extension Daemon {
    /// From the request to the end of the goodbyes.
    private static let drainNanoseconds: UInt64 = 1_000_000_000
    /// From there to the end of closing the store.
    private static let closeNanoseconds: UInt64 = 700_000_000

    func received(_ signal: SignalSource.Signal) {
        switch signal {
        case .terminate: stop(because: "SIGTERM")
        case .interrupt: stop(because: "SIGINT")
        case .hangUp: reloadConfiguration()
        }
    }

    /// Begins to stop. Later calls change nothing.
    func stop(because reason: String) {
        guard phase == .starting || phase == .loading || phase == .serving else { return }
        log(.info, .stopping, (.reason, reason))
        serviceManager.notify(.stopping(status: "finishing what is in flight"))
        closeListeners()
        for dialer in dialers.values { dialer.cancel() }
        dialers = [:]
        guard phase == .serving else { return beginEnd() }
        phase = .draining
        replica?.drain(at: now())
        let timer = loop.makeTimer { [unowned self] in if self.phase == .draining { self.beginEnd() } }
        timer.arm(at: now().monotonicNanoseconds + Self.drainNanoseconds)
        timers.append(timer)
        loop.runAgain()
    }

    /// After each round while draining: goes on when everybody has been answered and told.
    func continueStopping() {
        guard phase == .draining, replica?.isDrained ?? true else { return }
        guard connections.isEmpty else { return }
        beginEnd()
    }

    /// Drops what is left and lets the store's thread come to its end.
    func beginEnd() {
        guard phase != .closingStore, phase != .ended else { return }
        phase = .closingStore
        closeListeners()
        for open in connections.values {
            connections[SessionID(rawValue: open.connection.token)]?.isClosing = true
            open.connection.close()
        }
        guard let store else { return end() }
        store.close()
        let timer = loop.makeTimer { [unowned self] in self.end() }
        timer.arm(at: now().monotonicNanoseconds + Self.closeNanoseconds)
        timers.append(timer)
    }

    func storeEnded() {
        store?.join()
        store = nil
        end()
    }

    private func end() {
        guard phase != .ended else { return }
        phase = .ended
        loop.stop()
    }

    /// The store can promise nothing any more: nothing more is acknowledged, and the process ends. What was
    /// acknowledged is on disk; the next start reads it.
    func storeBroke(_ reason: String) {
        guard exitStatus != .failure else { return }
        exitStatus = .failure
        log(.error, .storeFailed, (.reason, reason), (.hint, "the daemon ends; nothing acknowledged is lost"))
        stop(because: "the store failed")
    }

    /// After the loop has ended, however that came.
    func finish() -> ExitStatus {
        closeListeners()
        for open in connections.values { open.connection.close() }
        signals?.close()
        if let failure = startFailure {
            let hint = failure.hint ?? "'navsyncd --help' tells what the exit status means"
            log(.error, .cannotStart, (.reason, failure.reason), (.hint, hint), (.status, failure.status.rawValue))
            exitStatus = failure.status
        } else {
            log(.info, .stopped, (.status, exitStatus.rawValue))
        }
        // A store's thread that is still in a system call writes until the process has ended: so long nobody else may.
        if let lock, store != nil { _ = Unmanaged.passRetained(lock) }
        store?.detach()
        lock = nil
        return exitStatus
    }
}
