// SPDX-License-Identifier: Apache-2.0

/// One row of a stack that the log still has, without its envelope.
package struct KeptVersion: Hashable, Sendable {
    package let sequence: Sequence
    package let state: RowState
    package let stamp: Stamp
    /// Bytes of the envelope; 0 for a removal.
    package let envelopeByteCount: Int

    package init(sequence: Sequence, state: RowState, stamp: Stamp, envelopeByteCount: Int) {
        self.sequence = sequence
        self.state = state
        self.stamp = stamp
        self.envelopeByteCount = envelopeByteCount
    }

    package init(_ row: Row) {
        var byteCount = 0
        if case .envelope(let envelope, _) = row.record.content { byteCount = envelope.count }
        self.init(
            sequence: row.sequence, state: row.state, stamp: row.record.stamp, envelopeByteCount: byteCount)
    }
}

/// A look for the rows of one stack, down the log from its end: a piece of work with a bound, whatever the log holds.
package struct VersionSearch: Hashable, Sendable {
    package var name: StackName
    /// Only rows below are looked at.
    package var before: Sequence
    /// The most rows, of any stack, that are looked at.
    package var rowLimit: Int
    /// The most that are found.
    package var versionLimit: Int
    /// No more is looked at once so many bytes of envelopes were found: they are read to be verified.
    package var byteLimit: Int

    package init(
        name: StackName, before: Sequence, rowLimit: Int, versionLimit: Int = .max, byteLimit: Int = .max
    ) {
        self.name = name
        self.before = before
        self.rowLimit = rowLimit
        self.versionLimit = versionLimit
        self.byteLimit = byteLimit
    }
}

/// What such a look found, newest first.
package struct VersionPage: Hashable, Sendable {
    package private(set) var versions: [KeptVersion] = []
    /// The last row that was looked at: the next look is before it.
    package private(set) var through: Sequence
    /// The look ended at a limit and not at the end of the log.
    package private(set) var hasMore = false
    private let search: VersionSearch
    private var rowCount = 0
    private var byteCount = 0

    package init(_ search: VersionSearch) {
        self.search = search
        through = search.before
    }

    /// Whether a limit is reached; notes that there may be more then. Asked before each row.
    package mutating func isFull() -> Bool {
        hasMore =
            rowCount >= search.rowLimit || versions.count >= search.versionLimit || byteCount >= search.byteLimit
        return hasMore
    }

    /// Notes a row that was looked at, and the version that it is of the stack.
    package mutating func look(at sequence: Sequence, _ version: KeptVersion?) {
        rowCount += 1
        through = sequence
        guard let version else { return }
        versions.append(version)
        byteCount += version.envelopeByteCount
    }
}

/// What a replica asks of the log beyond the live rows.
package enum HistoryQuestion: Hashable, Sendable {
    /// Which versions of a stack there are.
    case versions(VersionSearch)
    /// The row at a sequence.
    case row(Sequence)
}

/// The answer to it.
package enum HistoryAnswer: Hashable, Sendable {
    case versions(VersionPage)
    /// Nil: there is no such row, or none any more.
    case row(Row?)
    /// The store could not say.
    case failed(String)
}

extension StackStore {
    package mutating func answer(_ question: HistoryQuestion) -> HistoryAnswer {
        do throws(CommitFailure) {
            return switch question {
            case .versions(let search): .versions(try readVersions(search))
            case .row(let sequence): .row(try readRow(at: sequence))
            }
        } catch {
            return .failed(error.reason)
        }
    }
}
