// SPDX-License-Identifier: Apache-2.0
import NavStore
import NavSync

/// Batches made durable one after the other, append and upsert in turn, so that both meet the same disk.
struct WriteBench {
    static let batchSizes = [1, 16, 50, 256, 800]
    let options: Options

    func run() throws {
        if options.mode == "append" { return try runAppend() }
        print("value \(options.size) bytes, \(options.names) names, median [least-most] of \(options.rounds) rounds")
        print("| batch | append rows/s | upsert rows/s | ratio | append p50 us | p99 us |")
        print("| --- | --- | --- | --- | --- | --- |")
        for size in options.batch.map({ [$0] }) ?? Self.batchSizes {
            var append: [Measure] = []
            var upsert: [Measure] = []
            for _ in 0..<options.rounds {
                append.append(try measureAppend(batch: size))
                upsert.append(try measureUpsert(batch: size))
            }
            let ratios = zip(append, upsert).map { $0.rowsPerSecond / $1.rowsPerSecond }
            print(
                "| \(size) | \(Spread(append.map(\.rowsPerSecond)).whole) | \(Spread(upsert.map(\.rowsPerSecond)).whole)"
                    + " | \(Spread(ratios).tenths) | \(Spread(append.map(\.p50)).whole)"
                    + " | \(Spread(append.map(\.p99)).whole) |")
        }
    }

    /// Appends only, for comparing settings of the store.
    private func runAppend() throws {
        for size in options.batch.map({ [$0] }) ?? Self.batchSizes {
            let measures = try (0..<options.rounds).map { _ in try measureAppend(batch: size) }
            print(
                "batch \(size): \(Spread(measures.map(\.rowsPerSecond)).whole) rows/s, p50"
                    + " \(Spread(measures.map(\.p50)).whole) us, p99 \(Spread(measures.map(\.p99)).whole) us")
        }
    }

    private func measureAppend(batch size: Int) throws -> Measure {
        Scratch.empty(options.directory)
        let (store, _) = try SQLiteStore.open(
            directory: options.directory, node: RowSource.origin, limits: options.limits, wallMilliseconds: 0,
            random: { 7 })
        var source = try RowSource(options: options)
        return try repeated(batch: size) {
            let batch = source.batch(size)
            return try timed { try store.apply(batch) } + timed { try store.checkpointIfDue() }
        }
    }

    private func measureUpsert(batch size: Int) throws -> Measure {
        Scratch.empty(options.directory)
        let table = try UpsertTable(directory: options.directory)
        var source = try RowSource(options: options)
        try table.fill(source.names)
        return try repeated(batch: size) {
            let batch = source.batch(size)
            return try timed { try table.apply(batch) }
        }
    }

    private func repeated(batch size: Int, _ once: () throws -> Double) throws -> Measure {
        var times: [Double] = []
        var total = 0.0
        while total < options.seconds {
            let time = try once()
            times.append(time)
            total += time
        }
        times.sort()
        return Measure(
            rowsPerSecond: Double(size * times.count) / total, p50: times[times.count / 2] * 1e6,
            p99: times[times.count * 99 / 100] * 1e6)
    }

    private func timed(_ body: () throws -> Void) throws -> Double {
        Clock.seconds(try ContinuousClock().measure { try body() })
    }
}

struct Measure {
    let rowsPerSecond: Double
    let p50: Double
    let p99: Double
}

/// Median, least and most of some figures.
struct Spread {
    private let sorted: [Double]

    init(_ values: [Double]) { sorted = values.sorted() }

    var whole: String { text { "\(Int($0))" } }
    var tenths: String { text { "\(($0 * 10).rounded() / 10)" } }

    private func text(_ format: (Double) -> String) -> String {
        guard let least = sorted.first, let most = sorted.last else { return "-" }
        return "\(format(sorted[sorted.count / 2])) [\(format(least))-\(format(most))]"
    }
}
