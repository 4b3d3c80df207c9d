// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavSync

/// Measures the core alone, in one thread, without sockets, disk or hashing: what remains is the ceiling of a daemon.
///
///     syncbench [push|pull|sync|watch|index] …      all of them without an argument
///
/// Times are CPU time of the thread, so a busy machine does not change them much.
@main
enum Syncbench {
    static func main() {
        let names = CommandLine.arguments.dropFirst()
        for (name, run) in benches where names.isEmpty || names.contains(name) { run() }
    }

    private static let benches: [(String, @Sendable () -> Void)] = [
        ("push", { push(sameContent: false) }),
        ("same", { push(sameContent: true) }),
        ("pull", pull),
        ("sync", sync),
        ("watch", watch),
        ("index", index),
    ]

    static let envelopeByteCount = 300
    static let stackCount = 10_000

    static func print(_ name: String, _ count: Int, _ nanoseconds: UInt64, _ note: String = "") {
        let each = Double(nanoseconds) / Double(count)
        let rate = Int(1e9 / each)
        Swift.print("\(name): \(Int(each)) ns each, \(rate) a second\(note.isEmpty ? "" : ", \(note)")")
    }

    // MARK: Benches

    /// 50 connections, 16 requests of each at a time, 300-byte envelopes.
    private static func push(sameContent: Bool) {
        let bench = ReplicaUnderLoad(node: 1)
        let connections = (0..<50).map { bench.openClient(UInt64($0)) }
        let rounds = 400
        let inputs = Requests.pushes(connections: connections.count, depth: 16, rounds: 10, sameContent: sameContent)
        var count = 0
        let time = cpuTime {
            for round in 0..<rounds {
                for (number, id) in connections.enumerated() { bench.receive(inputs[round % 10][number], on: id) }
                bench.finishRound()
                count += connections.count * 16
            }
        }
        print(sameContent ? "push, same content" : "push", count, time)
    }

    private static func pull() {
        let bench = ReplicaUnderLoad(node: 1)
        let connections = (0..<50).map { bench.openClient(UInt64($0)) }
        bench.fill(stackCount)
        let inputs = Requests.pulls(connections: connections.count, depth: 16, rounds: 10)
        var count = 0
        let time = cpuTime {
            for round in 0..<400 {
                for (number, id) in connections.enumerated() { bench.receive(inputs[round % 10][number], on: id) }
                bench.finishRound()
                count += connections.count * 16
            }
        }
        print("pull", count, time)
    }

    /// What a push costs on two replicas together: written on one, sent to, merged and acknowledged by the other.
    private static func sync() {
        let pair = LinkedPair()
        let connections = (0..<50).map { pair.first.openClient(UInt64($0)) }
        let inputs = Requests.pushes(connections: connections.count, depth: 16, rounds: 10, sameContent: false)
        var count = 0
        let time = cpuTime {
            for round in 0..<200 {
                for (number, id) in connections.enumerated() {
                    pair.first.receive(inputs[round % 10][number], on: id)
                }
                pair.settle()
                count += connections.count * 16
            }
        }
        print("push and sync", count, time, "both replicas hold the same: \(pair.agree)")
    }

    private static func watch() {
        let bench = ReplicaUnderLoad(node: 1)
        let writer = bench.openClient(1)
        let watchers = 100
        for number in 0..<watchers { bench.openWatcher(UInt64(1000 + number)) }
        let inputs = Requests.pushes(connections: 1, depth: 16, rounds: 10, sameContent: false)
        var count = 0
        let time = cpuTime {
            for round in 0..<400 {
                bench.receive(inputs[round % 10][0], on: writer)
                bench.finishRound()
                count += 16 * watchers
            }
        }
        print("event to one of \(watchers) watchers", count, time)
    }

    private static func index() {
        let count = 1_000_000
        let before = residentByteCount()
        var index = StackIndex(hashSeed: 1)
        let time = cpuTime {
            for number in 0..<count { index.replay(Requests.row(number)) }
        }
        let bytes = residentByteCount() - before
        print("index of 1,000,000 names", count, time, "\(bytes / count) bytes a name")
        let again = cpuTime {
            for number in 0..<count { index.replay(Requests.row(count + number, name: (number &* 7919) % count)) }
        }
        let grown = residentByteCount() - before
        print("all of them written again", count, again, "\(grown / count) bytes a name")
        let resized = cpuTime {
            for number in 0..<count {
                index.replay(
                    Requests.row(2 * count + number, name: (number &* 7919) % count, byteCount: 60 + number &* 31 % 480)
                )
            }
        }
        let resizedBytes = residentByteCount() - before
        print("all of them in other sizes", count, resized, "\(resizedBytes / count) bytes a name")
        let first = cpuTime { precondition(index.page(prefix: [], after: [], limit: 1000).slots.count == 1000) }
        Swift.print("first page of a list of all: \(first / 1_000_000) ms, sorts the names once")
        let walk = cpuTime { precondition(index.liveSequences(after: .zero).count == count) }
        print("walk by sequence", count, walk)
    }
}

/// CPU nanoseconds of this thread.
func cpuTime(_ work: () -> Void) -> UInt64 {
    let start = threadTime()
    work()
    return threadTime() - start
}

private func threadTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

func residentByteCount() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 256)
    guard fgets(&buffer, 255, file) != nil else { return 0 }
    let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let fields = text.split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4096 : 0
}
