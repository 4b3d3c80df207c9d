// SPDX-License-Identifier: Apache-2.0
import NavStore
import NavSync

/// How long a store of many rows takes to open, after a close.
struct LoadBench {
    let options: Options

    func run() throws {
        try fill()
        var times: [Double] = []
        for _ in 0..<options.rounds {
            var count = 0
            let time = try ContinuousClock().measure {
                let (store, recovered) = try open()
                count = store.recovery.rowCount
                withExtendedLifetime(recovered) {}
                try store.close()
            }
            guard count == options.rows else { throw BenchError("\(count) rows came back of \(options.rows)") }
            times.append(Clock.seconds(time) * 1000)
        }
        print("open \(options.rows) rows, \(options.names) names, \(options.size) bytes: \(Spread(times).whole) ms")
    }

    func fill() throws {
        let (store, _) = try open()
        var source = try RowSource(options: options)
        var left = options.rows
        while left > 0 {
            let count = min(left, 1000)
            try store.apply(source.batch(count))
            try store.checkpointIfDue()
            left -= count
        }
        try store.close()
    }

    func open() throws -> (SQLiteStore, RecoveredState) {
        try SQLiteStore.open(
            directory: options.directory, node: RowSource.origin, limits: options.limits, wallMilliseconds: 0,
            random: { 7 })
    }
}
