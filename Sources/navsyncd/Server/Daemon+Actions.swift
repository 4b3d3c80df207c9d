// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavPosix
import NavSync

/// Does what the replica asks for.
extension Daemon {
    /// Called by the loop after each round.
    func endRound() {
        defer { clock.nextRound() }
        switch phase {
        case .serving: performRound()
        case .draining:
            performRound()
            continueStopping()
        case .starting, .loading, .closingStore, .ended: break
        }
    }

    private func performRound() {
        guard let actions = replica?.endRound(at: now()) else { return }
        for action in actions { perform(action) }
        settleEndings()
        armReplicaTimer()
    }

    private func perform(_ action: Action) {
        switch action {
        case .send(let id, let bytes): send(bytes, to: id)
        case .close(let id, let error): close(id, error)
        case .pause(let id): connections[id]?.connection.holdReading(true)
        case .resume(let id): connections[id]?.connection.holdReading(false)
        case .dial(let target): dial(target)
        case .commit(let batch):
            isCommitOutstanding = true
            commitsStarted += 1
            store?.commit(batch)
        case .readEnvelope(let token, let sequence):
            readsOutstanding += 1
            store?.read(token, at: sequence)
        case .readHistory(let token, let question):
            readsOutstanding += 1
            store?.ask(token, question)
        case .manage(let id, let request, let role): manage(id, request, role)
        case .report(let event):
            if case .linkReady(_, let id, _) = event { dialLed(to: id) }
            logEvent(event)
        }
    }

    private func send(_ bytes: [UInt8], to id: SessionID) {
        guard let connection = connections[id]?.connection, connection.send(bytes) else { return }
        // The socket took it all at once. What that lets go on (fan-out, a paused reader) is seen in another round.
        replica?.drained(id, at: now())
        loop.runAgain()
    }

    private func close(_ id: SessionID, _ error: SyncError?) {
        guard let open = connections[id] else { return }
        connections[id]?.isClosing = true
        endings[id] = nil
        open.connection.closeAfterFlush(deadline: now().monotonicNanoseconds + 1_000_000_000)
    }

    private func armReplicaTimer() {
        guard let deadline = replica?.nextDeadline else { return replicaTimer?.cancel() ?? () }
        // The round that follows looks at the time by itself: the timer only ends the wait.
        let timer = replicaTimer ?? loop.makeTimer {}
        replicaTimer = timer
        if timer.deadline != deadline { timer.arm(at: deadline) }
    }

    // MARK: The store's answers

    func storeAnswered(_ answer: StoreAnswer) {
        switch answer {
        case .opened(let recovered, let report): storeOpened(recovered, report)
        case .openFailed(let error): storeRefused(error)
        case .committed:
            isCommitOutstanding = false
            replica?.batchCommitted(at: now())
        case .commitFailed(let failure):
            isCommitOutstanding = false
            replica?.batchFailed(failure, at: now())
            if case .failed(let reason) = failure { storeBroke(reason) }
        case .envelopeRead(let token, let read):
            readsOutstanding -= 1
            replica?.envelopeRead(token, read, at: now())
        case .historyRead(let token, let answer):
            readsOutstanding -= 1
            replica?.historyRead(token, answer, at: now())
        case .broke(let failure):
            replica?.storeFailed(failure.reason, at: now())
            storeBroke(failure.reason)
        case .ended: storeEnded()
        }
    }

    func closeDescriptor(_ descriptor: Int32) { Glibc.close(descriptor) }
}
