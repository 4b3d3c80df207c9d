// SPDX-License-Identifier: Apache-2.0

/// A client's question that the log answers.
struct HistoryRead: Sendable {
    let handle: SessionHandle
    let request: RequestID
    let name: StackName
    let kind: Kind

    enum Kind: Sendable {
        /// With the live version at the time of the question.
        case versions(VersionSearch, live: Sequence, liveStamp: Stamp)
        case version(Sequence, withoutEnvelope: Bool)
    }

    var question: HistoryQuestion {
        switch kind {
        case .versions(let search, _, _): .versions(search)
        case .version(let sequence, _): .row(sequence)
        }
    }
}

/// Questions that wait for the store, in their order: at most one for each session.
struct HistoryReads: Sendable {
    var waiting: [HistoryRead] = []
    var inFlight: (token: ReadToken, read: HistoryRead)?
}

/// Reading versions that are not live. The store is asked one question at a time, each a bounded piece of work, and a
/// commit that is ready goes first: however many are asked, no write waits for more than one of them.
extension Replica {
    mutating func askForVersions(of name: StackName, _ list: List, at place: SessionPlace) throws(SyncError) {
        guard let slot = index.slot(of: name), let stamp = index.stamp(ofSlot: slot) else { throw .notFound(name) }
        // What is not committed yet is not there yet.
        let end = Sequence(rawValue: index.head.rawValue + 1)
        let search = VersionSearch(
            name: name, before: min(list.before ?? end, end), rowLimit: limits.historyRowCount,
            versionLimit: list.limit == 0 ? limits.listPageCount : min(list.limit, limits.listPageCount),
            byteLimit: limits.historyByteCount)
        let live = Sequence(rawValue: index.slots[slot].sequence)
        ask(list.request, name, .versions(search, live: live, liveStamp: stamp), at: place)
    }

    mutating func askForVersion(_ version: Sequence, _ pull: Pull, at place: SessionPlace) throws(SyncError) {
        guard version <= index.head else { throw .noVersion(version, of: pull.name) }
        ask(pull.request, pull.name, .version(version, withoutEnvelope: pull.withoutEnvelope), at: place)
    }

    /// Whether a version is what a pull without a version would read.
    func isLive(_ version: Sequence, _ name: StackName) -> Bool {
        guard let slot = index.slot(of: name), !index.slots[slot].isTombstone else { return false }
        return index.slots[slot].sequence == version.rawValue
    }

    private mutating func ask(_ request: RequestID, _ name: StackName, _ kind: HistoryRead.Kind, at place: SessionPlace)
    {
        sessions[place].awaitsHistory = true
        historyReads.waiting.append(
            HistoryRead(handle: handle(at: place), request: request, name: name, kind: kind))
    }

    /// Asks the next question when the last one is answered.
    mutating func startHistoryRead() {
        guard historyReads.inFlight == nil, !historyReads.waiting.isEmpty else { return }
        let read = historyReads.waiting.removeFirst()
        let token = ReadToken(rawValue: makeNumber())
        historyReads.inFlight = (token, read)
        actions.append(.readHistory(token, read.question))
    }

    mutating func finishHistoryRead(_ token: ReadToken, _ answer: HistoryAnswer, now: Instant) {
        guard let (expected, read) = historyReads.inFlight, expected == token else { return }
        historyReads.inFlight = nil
        guard sessions.isOpen(read.handle) else { return }
        let place = read.handle.place
        sessions[place].awaitsHistory = false
        switch (answer, read.kind) {
        case (.versions(let page), .versions(_, let live, let liveStamp)):
            sendVersions(page, of: read, live, liveStamp)
        case (.row(let row), .version(let version, let withoutEnvelope)):
            sendVersion(row, version, of: read, withoutEnvelope: withoutEnvelope)
        default:
            self.answer(
                read.request, SyncError(code: .storeFailed, reason: "the store did not return the stack's versions"),
                at: place)
        }
        resumeStalled(at: place, now: now)
    }

    private mutating func sendVersions(_ page: VersionPage, of read: HistoryRead, _ live: Sequence, _ stamp: Stamp) {
        let versions = page.versions.filter(\.state.isVersion)
        let items = versions.map {
            Listing.Item(
                name: read.name, stamp: $0.stamp, sequence: $0.sequence, envelopeByteCount: $0.envelopeByteCount)
        }
        let losers = versions.filter { $0.state == .superseded }.map(\.sequence)
        let history = Listing.History(through: page.through, live: live, liveStamp: stamp, losers: losers)
        send(
            Listing(request: read.request, items: items, hasMore: page.hasMore, history: history),
            at: read.handle.place)
    }

    private mutating func sendVersion(
        _ row: Row?, _ version: Sequence, of read: HistoryRead, withoutEnvelope: Bool
    ) {
        guard let row, row.record.name == read.name, row.state.isVersion else {
            return answer(read.request, .noVersion(version, of: read.name), at: read.handle.place)
        }
        let content: WireRecord.Content =
            switch row.record.content {
            case .tombstone: .tombstone
            case .envelope(let envelope, _):
                withoutEnvelope ? .omitted(byteCount: envelope.count) : .envelope(envelope)
            }
        let record = WireRecord(
            sequence: row.sequence, name: row.record.name, stamp: row.record.stamp, writeCount: row.record.writeCount,
            base: row.record.base, content: content)
        send(
            Records(request: read.request, through: row.sequence, mark: Mark(rawValue: 0), items: [record]),
            at: read.handle.place)
    }
}

extension RowState {
    /// Whether a row was merged, and so belongs to the history of its stack.
    fileprivate var isVersion: Bool { self == .merged || self == .superseded }
}

extension SyncError {
    fileprivate static func noVersion(_ version: Sequence, of name: StackName) -> Self {
        Self(code: .notFound, reason: "there is no version \(version.rawValue) of \(name), or none any more")
    }
}
