// SPDX-License-Identifier: Apache-2.0

extension Replica {
    /// Hands the open batch to the store when it is free.
    mutating func startCommit() {
        guard batchInFlight == nil, storeState != .failed, openBatch.isUrgent else { return }
        saveCursorsIntoOpenBatch()
        var batch = takeOpenBatch()
        batch.commit.refusals = batch.refusals.all
        actions.append(.commit(batch.commit))
        batchInFlight = batch
        counters.commits += 1
    }

    private mutating func makeBatch() -> Batch {
        Batch(mark: Mark(rawValue: generator.next()), refusalLimit: limits.refusalCount)
    }

    mutating func finishCommit(now: Instant) {
        guard let batch = batchInFlight else { return }
        batchInFlight = nil
        // Removals have room of their own, and what has no rows needs little: neither shows that there is room again.
        if storeState == .full, batch.commit.rows.contains(where: { !$0.record.isTombstone }) {
            storeState = .healthy
            report(.storeRecovered)
        }
        take(batch)
        for waiter in batch.waiters { answer(waiter, in: batch) }
        guard !batch.commit.rows.isEmpty else { return }
        for place in sessions[.subscribed].places { wantFanOut(at: place) }
    }

    /// Makes durable rows visible.
    private mutating func take(_ batch: Batch) {
        for (row, slot) in zip(batch.commit.rows, batch.slots) {
            index.commit(row, slot: slot)
            if index.slots[slot].pending == row.sequence.rawValue { index.setPending(0, slot: slot) }
            if case .envelope(let envelope, _) = row.record.content, row.state == .merged,
                !index.slots[slot].holdsEnvelope
            {
                recent.insert(envelope, at: row.sequence.rawValue)
            }
        }
        counters.rows += UInt64(batch.commit.rows.count)
        if let last = batch.commit.rows.last { marks.append(last.sequence, batch.commit.mark) }
        for (node, cursor) in batch.commit.cursors {
            if let peer = peers.place(of: node) { peers[peer].cursor = cursor }
        }
        for key in batch.commit.settledRefusals { refusals.remove(key) }
        for refusal in batch.commit.refusals { refusals.insert(refusal) }
    }

    private mutating func answer(_ waiter: Waiter, in batch: Batch) {
        switch waiter {
        case .write(let handle, let request, let number):
            guard sessions.isOpen(handle) else { return }
            let row = batch.commit.rows[number]
            sessions[handle.place].requestsInFlight -= 1
            let start = sessions[handle.place].output.beginFrame(.acknowledge)
            Acknowledge.writeTaken(request, row, to: &sessions[handle.place].output)
            sessions[handle.place].output.endFrame(at: start)
            sessions[.speaking].insert(handle.place)
        case .records(let handle, let request, let through):
            // We may have asked anew since: what is untold by now belongs to that, and nobody hears of the old request.
            guard sessions.isOpen(handle), sessions[handle.place].inbound?.request == request else { return }
            acknowledgeRecords(request, through: through, at: handle.place)
        }
    }

    // MARK: Failure

    /// Forgets the batch in flight and the open one that was built on it: no trace of either is left.
    mutating func failCommit(_ failure: CommitFailure, now: Instant) {
        guard let batch = batchInFlight else { return }
        batchInFlight = nil
        let error: SyncError
        switch failure {
        case .full(let reason):
            if storeState != .full { report(.storeFull(reason)) }
            storeState = .full
            error = SyncError(code: .storeFull, reason: reason)
        case .failed(let reason):
            noteStoreFailed(reason)
            error = SyncError(code: .storeFailed, reason: reason)
        }
        let lost = [batch, takeOpenBatch()]
        let removals = error.code == .storeFull && !batch.commit.isOfRemovals ? lost.flatMap(\.removals) : []
        forget(lost, error, exceptRemovals: !removals.isEmpty, now: now)
        for (name, waiter) in removals { tryAgain(waiter, of: name, error, now: now) }
        // At once: what comes into their batch now could take their room.
        startCommit()
    }

    /// Removes once more, in a batch without anything that needs room: unless what was to be removed was never kept.
    private mutating func tryAgain(_ waiter: Waiter, of name: StackName, _ error: SyncError, now: Instant) {
        guard case .write(let handle, let request, _) = waiter, let slot = index.slot(of: name),
            let current = currentVersion(ofSlot: slot), !current.isTombstone
        else { return fail(waiter, error) }
        write(.tombstone, to: name, slot: slot, over: current, now: now)
        openBatch.waiters.append(.write(handle, request, row: openBatch.commit.rows.count - 1))
    }

    /// The store failed while it had nothing to commit, or before it came to what it has: that is answered by itself.
    mutating func failStore(_ reason: String, now: Instant) {
        noteStoreFailed(reason)
        guard batchInFlight == nil else { return }
        forget([takeOpenBatch()], SyncError(code: .storeFailed, reason: reason), now: now)
    }

    private mutating func noteStoreFailed(_ reason: String) {
        if storeState != .failed { report(.storeFailed(reason)) }
        storeState = .failed
    }

    private mutating func takeOpenBatch() -> Batch {
        var batch = makeBatch()
        swap(&batch, &openBatch)
        return batch
    }

    private mutating func forget(
        _ batches: [Batch], _ error: SyncError, exceptRemovals: Bool = false, now: Instant
    ) {
        for batch in batches {
            for slot in batch.slots { index.setPending(0, slot: slot) }
            for slot in batch.slots { index.forgetIfEmpty(slot) }
            for waiter in batch.waiters where !exceptRemovals || batch.nameRemoved(by: waiter) == nil {
                fail(waiter, error)
            }
        }
        stopReadingPeers(now: now)
    }

    private mutating func fail(_ waiter: Waiter, _ error: SyncError) {
        guard case .write(let handle, let request, _) = waiter, sessions.isOpen(handle) else { return }
        sessions[handle.place].requestsInFlight -= 1
        answer(request, error, at: handle.place)
    }

    /// What peers sent since the last commit is lost here: it is asked for again, from the durable cursor, in a while.
    private mutating func stopReadingPeers(now: Instant) {
        let retry = now.monotonicNanoseconds.advanced(byNanoseconds: limits.storeFullRetryNanoseconds)
        for peer in peers.places {
            peers[peer].unsavedCursor = nil
            guard let link = peers[peer].link, sessions.isOpen(link) else { continue }
            sessions[link.place].inbound?.request = nil
            sessions[link.place].inbound?.untold = []
            sessions[link.place].inbound?.retryAt = retry
        }
        wake(at: retry)
    }

    // MARK: Cursors

    /// Notes where we stand at a peer. It becomes durable with the next commit, or after a while.
    mutating func noteCursor(_ cursor: Cursor?, of peer: PeerPlace, now: Instant) {
        guard let cursor, cursor != peers[peer].cursor else {
            peers[peer].unsavedCursor = nil
            return
        }
        peers[peer].unsavedCursor = cursor
        guard cursorFlushAt == nil else { return }
        let due = now.monotonicNanoseconds.advanced(byNanoseconds: limits.cursorFlushNanoseconds)
        cursorFlushAt = due
        wake(at: due)
    }

    mutating func flushCursors(now: Instant) {
        guard let due = cursorFlushAt else { return }
        guard now.monotonicNanoseconds >= due else { return wake(at: due) }
        saveCursors(now: now)
    }

    /// Makes a commit of cursors alone if there is no other.
    mutating func saveCursors(now: Instant) {
        saveCursorsIntoOpenBatch()
        openBatch.savesCursors = !openBatch.commit.cursors.isEmpty
    }

    private mutating func saveCursorsIntoOpenBatch() {
        cursorFlushAt = nil
        for peer in peers.places {
            guard let cursor = peers[peer].unsavedCursor else { continue }
            openBatch.commit.cursors[peers[peer].node] = cursor
            peers[peer].unsavedCursor = nil
        }
    }

    // MARK: Draining

    mutating func finishDraining(now: Instant) {
        guard !isDrained, batchInFlight == nil, storeState == .failed || !openBatch.isUrgent else { return }
        for place in sessions.places where sessions.isInUse(place) {
            endSession(at: place, .closed(.draining), now: now)
        }
        isDrained = true
    }
}
