// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavStore
import NavSync
import NavTestSupport
import Testing

/// The trace of a real run is cut after every call, what was not synchronised is lost in several ways, and the store
/// opens with everything that was acknowledged.
@Suite(.timeLimit(.minutes(10))) struct CrashPointTests {
    static let batchCount = 9

    @Test(arguments: 1...2 as ClosedRange<UInt64>)
    func everyAcknowledgedBatchSurvivesACrashAfterAnyCall(seed: UInt64) throws {
        let written = try TemporaryDirectory(inMemory: true)
        let run = try TracedWriter(directory: written, seed: seed, batchCount: Self.batchCount)
        try #require(run.status == 0)
        try #require(run.output.last == "closed")
        try #require(run.log.entries.filter { $0.call == "pipe" }.count == run.output.count)
        var batches: [CommitBatch] = []
        var maker = BatchMaker(seed: seed)
        for number in 0..<Self.batchCount {
            batches.append(try maker.batch(rowCount: BatchMaker.rowCounts[number % BatchMaker.rowCounts.count]))
        }
        var disk = DiskModel(data: run.data)
        var saidCount = 0
        // What is on the disk does not change with every call: the same files with the same promises are one case.
        var checked: Set<[String: [UInt8]]> = []
        for entry in run.log.entries {
            disk.apply(entry)
            if entry.call == "pipe" {
                saidCount += 1
                checked = []
            }
            let said = run.output[..<saidCount]
            let survivors: [DiskModel.Survivors] = [.none, .all, .some(seed: seed << 20 + UInt64(entry.number))]
            for survivor in survivors {
                let files = disk.crash(survivor)
                guard checked.insert(files).inserted else { continue }
                try check(files, from: written.path, said, batches, "seed \(seed), call \(entry.number), \(survivor)")
            }
        }
    }

    /// Puts the files into a new directory and opens the store there.
    private func check(
        _ files: [String: [UInt8]], from origin: String, _ said: ArraySlice<String>, _ batches: [CommitBatch],
        _ place: String
    ) throws {
        let directory = try TemporaryDirectory(inMemory: true)
        for (path, bytes) in files {
            let copy = directory.path + path.dropFirst(origin.count)
            try #require(FileManager.default.createFile(atPath: copy, contents: Data(bytes)))
        }
        let (store, recovered) = try openStore(directory)
        #expect(store.recovery.setAside == nil, "\(place)")
        let starts = said.count { $0.hasPrefix("opened") }
        #expect(recovered.startCounter > UInt64(starts), "\(place)")
        let acknowledged = said.count { $0.hasPrefix("applied") }
        // The batch in flight may be there, but then all of it.
        let isExpected = [acknowledged, acknowledged + 1].contains { count in
            count <= batches.count && holds(store, recovered, Array(batches[..<count]))
        }
        #expect(isExpected, "\(place): \(acknowledged) batches were acknowledged")
    }

    /// Whether the store holds these batches and nothing else.
    private func holds(_ store: SQLiteStore, _ recovered: RecoveredState, _ batches: [CommitBatch]) -> Bool {
        let rows = batches.flatMap(\.rows)
        guard store.recovery.rowCount == rows.count else { return false }
        let cursors = batches.reduce(into: [:]) { $0.merge($1.cursors) { $1 } }
        guard recovered.cursors == cursors else { return false }
        let marks = batches.filter { !$0.rows.isEmpty }.map(\.mark)
        guard recovered.marks.map(\.mark) == marks else { return false }
        return Set(rows.map(\.record.name)).allSatisfy { name in
            (try? store.keptRows(of: name)) == rows.filter { $0.record.name == name }.reversed()
        }
    }
}
