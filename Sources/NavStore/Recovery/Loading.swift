// SPDX-License-Identifier: Apache-2.0
import NavSync

/// Builds `RecoveredState` from the tables, row by row.
struct Loading {
    private(set) var recovered: RecoveredState
    private(set) var report: RecoveryReport
    private let node: NodeID
    private let limits: StoreLimits
    private var lastSequence = Sequence.zero

    /// How far sequences jump after a start that was not preceded by a close: more than a store gives out between two
    /// checkpoints, and nothing against 63 bits.
    static let gap: UInt64 = 1 << 20

    init(identity: StoreIdentity, node: NodeID, report: RecoveryReport, limits: StoreLimits) {
        self.node = node
        self.report = report
        self.limits = limits
        recovered = RecoveredState(
            incarnation: identity.incarnation, startCounter: identity.starts, nextSequence: .zero,
            // The seed is random and never leaves the store: nobody outside can choose names whose hashes collide.
            index: StackIndex(hashSeed: identity.seed), marks: [], cursors: [:], refusals: [], floor: .zero,
            writeCount: 0)
    }

    /// Reads every table. Rows that do not verify are damage of the whole: see `Salvage`.
    mutating func readAll(from tables: StoreTables) throws(SQLiteFailure) {
        try readRows(tables.log)
        try readMeta(MetaTable(database: tables.database))
        let compacted = try tables.marks.readAll()
        if !compacted.isEmpty {
            recovered.marks = (compacted + recovered.marks).sorted { $0.sequence < $1.sequence }
        }
        (recovered.cursors, report.damagedCursorCount) = try tables.cursors.readAll()
        (recovered.refusals, report.damagedRefusalCount) = try tables.refusals.readAll()
        let excess = recovered.marks.count - limits.maximumMarkCount
        if excess > 0 { recovered.marks.removeFirst(excess) }
        // A log whose end was damaged looks like one that a crash has cut: its sequences may have been seen.
        let next = lastSequence.rawValue + 1 + (report.wasInterrupted ? Self.gap : 0)
        recovered.nextSequence = Sequence(rawValue: next)
    }

    private mutating func readRows(_ log: LogTable) throws(SQLiteFailure) {
        let scan = try log.scan()
        while let (row, mark) = try scan.next() {
            guard row.sequence > lastSequence else { throw .damaged("row \(row.sequence.rawValue) is out of order") }
            try add(row, mark)
        }
    }

    private mutating func add(_ row: Row, _ mark: Mark?) throws(SQLiteFailure) {
        report.rowCount += 1
        lastSequence = row.sequence
        if let mark { recovered.marks.append((sequence: row.sequence, mark: mark)) }
        if recovered.marks.count >= 2 * limits.maximumMarkCount {
            recovered.marks.removeFirst(recovered.marks.count - limits.maximumMarkCount)
        }
        guard recovered.replay(row, node: node) else { throw .outOfMemory("load '\(row.record.name)'") }
    }

    /// What rows that are gone have left behind.
    private mutating func readMeta(_ meta: MetaTable) throws(SQLiteFailure) {
        if let floor = try meta.read(.floor) { recovered.floor = max(recovered.floor, HybridTime(rawValue: floor)) }
        if let writes = try meta.read(.writes) { recovered.writeCount = max(recovered.writeCount, writes) }
    }
}

/// What a database says of itself.
struct StoreIdentity {
    let seed: UInt64
    let incarnation: Incarnation
    let starts: UInt64
}
