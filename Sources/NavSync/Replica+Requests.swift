// SPDX-License-Identifier: Apache-2.0

/// What a client asks for.
extension Replica {
    /// Whatever is wrong with a request is answered; only bytes that make no sense end the session.
    mutating func takeRequest(
        _ type: MessageType, _ payload: ByteReader, at place: SessionPlace, now: Instant
    ) throws(SyncError) {
        var reader = payload
        var peek = payload
        let request = RequestID(rawValue: try peek.readVarint())
        do throws(SyncError) {
            guard !isDraining else { throw .draining }
            try checkRole(type, at: place)
            switch type {
            case .push: try takePush(Push(reading: &reader), at: place, now: now)
            case .delete: try takeDelete(Delete(reading: &reader), at: place, now: now)
            case .pull: try takePull(Pull(reading: &reader), at: place)
            case .list: try takeList(List(reading: &reader), at: place)
            case .manage: try takeManage(Manage(reading: &reader), at: place)
            default:
                _ = try Status(reading: &reader)
                send(StatusReport(request: request, items: statusItems(now: now)), at: place)
            }
        } catch {
            guard error.code != .malformedMessage else { throw error }
            answer(request, error, at: place)
        }
    }

    /// Writing takes a writer. What it takes to manage depends on the verb, which the runtime knows.
    private mutating func checkRole(_ type: MessageType, at place: SessionPlace) throws(SyncError) {
        guard type == .push || type == .delete, sessions[place].access.local < .writer else { return }
        report(.writeRefused(sessions[place].id, type))
        throw .notPermitted("this user may read and not write here")
    }

    private mutating func takeManage(_ manage: Manage, at place: SessionPlace) {
        sessions[place].requestsInFlight += 1
        actions.append(.manage(sessions[place].id, manage, sessions[place].access.local))
    }

    mutating func finishManage(
        _ request: RequestID, _ result: Result<[StatusReport.Item], SyncError>, at place: SessionPlace, now: Instant
    ) {
        sessions[place].requestsInFlight -= 1
        switch result {
        case .success(let items): send(StatusReport(request: request, items: items), at: place)
        case .failure(let error): answer(request, error, at: place)
        }
        resumeStalled(at: place, now: now)
    }

    private mutating func takePush(_ push: consuming Push, at place: SessionPlace, now: Instant) throws(SyncError) {
        try checkStore()
        try checkRoom()
        guard push.envelope.count <= limits.maximumEnvelopeByteCount else {
            throw .valueTooLarge(push.envelope.count, limit: limits.maximumEnvelopeByteCount)
        }
        let hash = try look(at: push.envelope, for: place)
        guard let slot = index.intern(push.name) else { throw .noRoomForName }
        let current = currentVersion(ofSlot: slot)
        guard meets(push.expected, current) else {
            index.forgetIfEmpty(slot)
            answerStale(push.request, current, at: place)
            return
        }
        write(.envelope(push.envelope, hash), to: push.name, slot: slot, over: current, now: now)
        counters.pushes += 1
        awaitCommit(push.request, at: place)
    }

    private mutating func takeDelete(_ delete: Delete, at place: SessionPlace, now: Instant) throws(SyncError) {
        try checkStore()
        let slot = index.slot(of: delete.name)
        let current = slot.flatMap { currentVersion(ofSlot: $0) }
        guard meets(delete.expected, current) else {
            answerStale(delete.request, current, at: place)
            return
        }
        guard let slot, let current, !current.isTombstone else { throw .notFound(delete.name) }
        write(.tombstone, to: delete.name, slot: slot, over: current, now: now)
        counters.deletes += 1
        awaitCommit(delete.request, at: place)
    }

    private mutating func awaitCommit(_ request: RequestID, at place: SessionPlace) {
        openBatch.waiters.append(.write(handle(at: place), request, row: openBatch.commit.rows.count - 1))
        sessions[place].requestsInFlight += 1
    }

    private func meets(_ expected: Expectation, _ current: CurrentVersion?) -> Bool {
        switch expected {
        case .anything: true
        case .absent: current?.isTombstone ?? true
        case .stamp(let stamp): current?.stamp == stamp
        }
    }

    private mutating func answerStale(_ request: RequestID, _ current: CurrentVersion?, at place: SessionPlace) {
        let live = current.flatMap { $0.isTombstone ? nil : $0 }
        let error = SyncError(
            code: .staleBase,
            reason: live == nil ? "the stack was removed or never written" : "the stack has another version")
        answer(request, error, current: live?.stamp, at: place)
    }

    private func checkStore() throws(SyncError) {
        guard storeState != .failed else {
            throw SyncError(code: .storeFailed, reason: "the store failed, nothing more is written")
        }
    }

    /// While the store is full, one write at a time finds out whether it still is, and only when no removal waits.
    private func checkRoom() throws(SyncError) {
        guard storeState == .full, batchInFlight != nil || !openBatch.commit.rows.isEmpty else { return }
        throw SyncError(code: .storeFull, reason: "the disk is full: removals go on, writes when there is room")
    }

    // MARK: Reading

    private mutating func takePull(_ pull: Pull, at place: SessionPlace) throws(SyncError) {
        counters.pulls += 1
        if let version = pull.version, !isLive(version, pull.name) {
            return try askForVersion(version, pull, at: place)
        }
        guard let slot = index.slot(of: pull.name), index.slots[slot].sequence > 0, !index.slots[slot].isTombstone
        else { throw .notFound(pull.name) }
        let sequence = index.slots[slot].sequence
        if index.slots[slot].holdsEnvelope || pull.withoutEnvelope {
            writePulled(pull.request, sequence, at: place) { index, bytes in
                index.writeRecord(slot, withoutEnvelope: pull.withoutEnvelope, to: &bytes)
            }
        } else if let envelope = recent[sequence] {
            writePulled(pull.request, sequence, at: place) { index, bytes in
                index.writeRecord(slot, envelope: envelope[...], to: &bytes)
            }
        } else if let entry = index.entry(slot) {
            sessions[place].requestsInFlight += 1
            sessions[place].awaitedByteCount += entry.envelopeByteCount
            readEnvelope(.pull(handle(at: place), pull.request, entry), at: entry.sequence)
        }
    }

    private mutating func writePulled(
        _ request: RequestID, _ sequence: UInt64, at place: SessionPlace,
        _ writeRecord: (StackIndex, inout [UInt8]) -> Void
    ) {
        let start = sessions[place].output.beginFrame(.records)
        sessions[place].output.appendVarint(request.rawValue)
        sessions[place].output.appendUInt64(sequence)
        sessions[place].output.appendUInt64(0)
        writeRecord(index, &sessions[place].output)
        sessions[place].output.endFrame(at: start)
        sessions[.speaking].insert(place)
    }

    /// Looking at a name takes about as long as looking at so many bytes of an envelope.
    private static let byteCountOfLook = 64

    private mutating func takeList(_ list: List, at place: SessionPlace) throws(SyncError) {
        if let stack = list.stack { return try askForVersions(of: stack, list, at: place) }
        guard list.prefix.count <= StackName.maximumByteCount else { throw .prefixTooLong(list.prefix.count) }
        let limit = list.limit == 0 ? limits.listPageCount : min(list.limit, limits.listPageCount)
        let page = index.page(prefix: list.prefix, after: list.after, limit: limit)
        sessions[place].claimedByteCount += page.lookedAt * Self.byteCountOfLook
        let items = page.slots.compactMap { slot in
            index.entry(slot).map {
                Listing.Item(
                    name: $0.name, stamp: $0.stamp, sequence: $0.sequence, envelopeByteCount: $0.envelopeByteCount)
            }
        }
        send(Listing(request: list.request, items: items, hasMore: page.hasMore), at: place)
    }
}
