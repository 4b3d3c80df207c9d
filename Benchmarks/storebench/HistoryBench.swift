// SPDX-License-Identifier: Apache-2.0
import NavStore
import NavSync

/// How long one look for the versions of a stack takes, which a commit may have to wait for, and how long looking through
/// everything.
struct HistoryBench {
    let options: Options

    func run() throws {
        try LoadBench(options: options).fill()
        let (store, _) = try LoadBench(options: options).open()
        let name = try RowSource(options: options).names[0]
        var looks: [Double] = []
        var walks: [Double] = []
        for _ in 0..<options.rounds {
            let times = try walk(store, name)
            looks += times
            walks.append(times.reduce(0, +))
        }
        let shape = "\(options.rows) rows, \(options.names) names, \(options.size) bytes"
        print("one look, \(shape): \(Spread(looks).tenths) ms")
        print("all \(looks.count / options.rounds) looks: \(Spread(walks).whole) ms")
        try store.close()
    }

    /// Milliseconds of each look.
    private func walk(_ store: SQLiteStore, _ name: StackName) throws -> [Double] {
        let limits = SyncLimits.default
        var search = VersionSearch(
            name: name, before: Sequence(rawValue: .max), rowLimit: options.batch ?? limits.historyRowCount,
            versionLimit: limits.listPageCount, byteLimit: limits.historyByteCount)
        var times: [Double] = []
        while true {
            var page = VersionPage(search)
            let time = try ContinuousClock().measure { page = try store.readVersions(search) }
            times.append(Clock.seconds(time) * 1000)
            guard page.hasMore else { return times }
            search.before = page.through
        }
    }
}
