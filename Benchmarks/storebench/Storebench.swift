// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavStore
import NavSync

/// Measures the store by itself: rows made durable per second by batch size, beside an upsert by name in the same
/// run; the time of one commit; the time to load, and to look for the versions of a stack. Figures of one run compare with each other, not with another day's.
@main
struct Storebench {
    static func main() {
        do {
            var options = try Options(Array(CommandLine.arguments.dropFirst()))
            if options.directory.isEmpty { options.directory = "/var/tmp/storebench-\(getpid())" }
            try Scratch.make(options.directory)
            defer { Scratch.remove(options.directory) }
            switch options.mode {
            case "write", "append": try WriteBench(options: options).run()
            case "load": try LoadBench(options: options).run()
            case "history": try HistoryBench(options: options).run()
            default: throw BenchError("unknown mode \(options.mode), write, append, load and history are known")
            }
        } catch {
            let text = Array("storebench: error: \(error)\n\(Options.usage)\n".utf8)
            _ = write(STDERR_FILENO, text, text.count)
            exit(2)
        }
    }
}

struct BenchError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

struct Options {
    static let usage = """
        usage: storebench write|append|load|history [--rounds N] [--seconds S] [--batch ROWS] [--size BYTES] [--rows N] [--names N] [--dir DIR]
                          [--page BYTES] [--checkpoint PAGES] [--wal BYTES] [--cache KIB]
        """

    var mode = "write"
    var rounds = 5
    /// Measure this batch size only; with `history`, rows in one look.
    var batch: Int?
    var seconds = 1.0
    var size = 300
    var rows = 1_000_000
    var names = 100_000
    var directory = ""
    var limits = StoreLimits.default

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        if let first = rest.first, !first.hasPrefix("-") { mode = rest.removeFirst() }
        while let flag = rest.popFirst() {
            guard let value = rest.popFirst() else { throw BenchError("\(flag) needs a value") }
            if flag == "--dir" {
                directory = value
            } else if flag == "--seconds", let number = Double(value) {
                seconds = number
            } else if let number = Int(value), number > 0 {
                try set(flag, number)
            } else {
                throw BenchError("\(flag) \(value) is not a number above 0")
            }
        }
    }

    private mutating func set(_ flag: String, _ number: Int) throws {
        switch flag {
        case "--rounds": rounds = number
        case "--batch": batch = number
        case "--size": size = number
        case "--rows": rows = number
        case "--names": names = number
        case "--page": limits.pageByteCount = number
        case "--checkpoint": limits.checkpointPageCount = number
        case "--wal": limits.preallocatedWALByteCount = number
        case "--cache": limits.cacheKibibytes = number
        default: throw BenchError("unknown flag \(flag)")
        }
    }
}

/// Directories and files of a run.
enum Scratch {
    static func make(_ directory: String) throws {
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
            throw BenchError("cannot make \(directory): \(String(cString: strerror(errno)))")
        }
    }

    /// Removes what a store and the upsert database leave behind, and the directory when it is then empty.
    static func remove(_ directory: String) {
        empty(directory)
        rmdir(directory)
    }

    static func empty(_ directory: String) {
        for name in ["stacks.sqlite", "stacks.sqlite-wal", "stacks.sqlite-shm", "stacks.marker"] + UpsertTable.files {
            unlink(directory + "/" + name)
        }
    }
}

/// Rows as a replica with many stacks would write them.
struct RowSource {
    static let origin = NodeID(high: 1, low: 2)

    let names: [StackName]
    let content: Record.Content
    private var state: UInt64 = 0x9E37_79B9
    private var sequence: UInt64 = 0

    init(options: Options) throws {
        names = try (0..<options.names).map { number throws in try StackName("shop/cart/\(number)") }
        let envelope = (0..<options.size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        content = .envelope(envelope, ContentHash(words: (1, 2, 3, 4)))
    }

    mutating func batch(_ count: Int) -> CommitBatch {
        var batch = CommitBatch(mark: Mark(rawValue: sequence))
        batch.rows.reserveCapacity(count)
        for _ in 0..<count { batch.rows.append(row()) }
        return batch
    }

    private mutating func row() -> Row {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        sequence += 1
        let stamp = Stamp(time: HybridTime(rawValue: 1_700_000_000_000 << 16 + sequence), origin: Self.origin)
        let record = Record(
            name: names[Int(state >> 33) % names.count], stamp: stamp, writeCount: sequence, base: nil, content: content
        )
        return Row(sequence: Sequence(rawValue: sequence), state: .merged, source: nil, record: record)
    }
}

enum Clock {
    static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    }
}
