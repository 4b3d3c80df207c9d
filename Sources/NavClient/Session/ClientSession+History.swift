// SPDX-License-Identifier: Apache-2.0
import NavSync

/// One answer to a question about versions.
struct HistoryPage: Sendable {
    let versions: [StackVersion]
    let liveStamp: StackStamp
    /// What to ask for next; nil at the end.
    let next: UInt64?
}

extension ClientSession {
    /// The next versions of a stack before a number, newest first: none, if a part of the log has none.
    func historyPage(
        of name: String, before: UInt64?, limit: Int, deadline: Deadline
    ) throws(NavClientError) -> HistoryPage {
        let request = newRequest()
        let stack = try Self.stackName(name)
        // A daemon that knows of no versions reads a question for names, and is made to answer it with few.
        let list = List(
            request: request, prefix: stack.bytes, limit: limit, stack: stack,
            before: before.map { Sequence(rawValue: $0) })
        guard case .listing(let page) = try ask(list, request, deadline: deadline) else { throw Self.unexpected() }
        guard let history = page.history else { throw noHistory() }
        // A question must lead on, whatever the daemon is.
        guard !page.hasMore || history.through.rawValue < before ?? .max else { throw Self.unexpected() }
        let losers = Set(history.losers)
        let versions = page.items.map {
            StackVersion(
                number: $0.sequence.rawValue, stamp: StackStamp($0.stamp),
                byteCount: $0.envelopeByteCount == 0 ? nil : $0.envelopeByteCount,
                isLive: $0.sequence == history.live, isLoser: losers.contains($0.sequence))
        }
        return HistoryPage(
            versions: versions, liveStamp: StackStamp(history.liveStamp),
            next: page.hasMore ? history.through.rawValue : nil)
    }

    /// The newest versions of a stack, and whether there may be older ones.
    package func history(
        of name: String, limit: Int, deadline: Deadline
    ) throws(NavClientError) -> (versions: [StackVersion], mayHaveMore: Bool) {
        var versions: [StackVersion] = []
        var before: UInt64?
        while true {
            let page = try historyPage(of: name, before: before, limit: limit - versions.count, deadline: deadline)
            versions += page.versions
            guard let next = page.next, versions.count < limit else { return (versions, page.next != nil) }
            before = next
        }
    }

    /// Reads one version of a stack. One that is a removal is `notFound`.
    package func pull(_ name: String, version: UInt64, deadline: Deadline) throws(NavClientError) -> PulledStack {
        let record = try record(name, version, deadline: deadline)
        guard case .envelope(let envelope) = record.content else {
            throw NavClientError(
                code: .notFound, reason: "version \(version) of \(name) is a removal", hint: Self.historyHint)
        }
        return PulledStack(name: name, stamp: StackStamp(record.stamp), envelope: envelope)
    }

    /// Puts the version before the live one, or the one of that number, back as a new write: only if nobody writes
    /// meanwhile.
    package func undo(_ name: String, to number: UInt64?, deadline: Deadline) throws(NavClientError) -> UndoReceipt {
        let (live, found) = try undoTarget(name, isWanted: number == nil, deadline: deadline)
        guard let version = number ?? found else {
            throw NavClientError(
                code: .notFound, reason: "no version of \(name) before the live one is kept", hint: Self.historyHint)
        }
        let record = try record(name, version, deadline: deadline)
        do throws(NavClientError) {
            let receipt =
                switch record.content {
                case .envelope(let envelope):
                    try push(envelope, to: name, expecting: .stamp(live), deadline: deadline)
                default: try remove(name, expecting: .stamp(live), deadline: deadline)
                }
            return UndoReceipt(
                name: name, stamp: receipt.stamp, version: version, isRemoved: record.isTombstone)
        } catch {
            guard error.code == .staleBase else { throw error }
            throw NavClientError(
                code: .staleBase, reason: "the stack was written meanwhile: nothing was undone", hint: Self.historyHint)
        }
    }

    /// The live version's stamp, and the number of the version with the greatest stamp below it.
    ///
    /// What won its merge has rising stamps in the order of numbers. So that version is the first winner that is found below
    /// the live one, or a loser that came after it.
    private func undoTarget(
        _ name: String, isWanted: Bool, deadline: Deadline
    ) throws(NavClientError) -> (live: StackStamp, version: UInt64?) {
        var live: StackStamp?
        var best: StackVersion?
        var before: UInt64?
        while true {
            let page = try historyPage(of: name, before: before, limit: isWanted ? 16 : 1, deadline: deadline)
            let liveStamp = live ?? page.liveStamp
            live = liveStamp
            guard isWanted else { return (liveStamp, nil) }
            for version in page.versions where version.stamp < liveStamp {
                if best.map({ $0.stamp < version.stamp }) ?? true { best = version }
                if !version.isLoser { return (liveStamp, best?.number) }
            }
            guard let next = page.next else { return (liveStamp, best?.number) }
            before = next
        }
    }

    private func record(_ name: String, _ version: UInt64, deadline: Deadline) throws(NavClientError) -> WireRecord {
        let request = newRequest()
        let pull = Pull(request: request, name: try Self.stackName(name), version: Sequence(rawValue: version))
        let answer: Message
        do throws(NavClientError) {
            answer = try ask(pull, request, deadline: deadline)
        } catch {
            guard error.code == .notFound else { throw error }
            throw NavClientError(code: .notFound, reason: error.reason, hint: Self.historyHint)
        }
        guard case .records(let records) = answer, let record = records.items.first else { throw Self.unexpected() }
        // A daemon that knows of no versions sends the live one.
        guard record.sequence.rawValue == version else { throw noHistory() }
        return record
    }

    private static var historyHint: String { "'navsyncctl history' shows the versions that are kept" }

    private func noHistory() -> NavClientError {
        NavClientError(
            code: .incompatible, reason: "the daemon (\(daemonSoftware)) is too old to tell versions",
            hint: "update navsyncd, and restart it")
    }
}
