// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavStore
import NavSync
import NavTestSupport

/// The program that the crash tests trace: applies batches to a store and writes a line to stdout after each one that
/// is durable. `storewriter DIRECTORY SEED BATCHES`; the batches of a seed are always the same.
@main
struct StoreWriter {
    static func main() {
        do { try run() } catch {
            say("ended \(error)\n")
            exit(1)
        }
    }

    private static func run() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let seed = UInt64(arguments[2]), let count = Int(arguments[3]) else {
            say("usage: storewriter DIRECTORY SEED BATCHES\n")
            exit(2)
        }
        var random = SeededGenerator(seed: seed)
        var limits = StoreLimits.default
        // Small, so that a short run checkpoints and writes over its log more than once.
        limits.preallocatedWALByteCount = 1 << 16
        limits.checkpointPageCount = 40
        let (store, recovered) = try SQLiteStore.open(
            directory: arguments[1], node: BatchMaker.node, limits: limits, wallMilliseconds: 1,
            random: { random.next() })
        say("opened \(recovered.startCounter) \(recovered.nextSequence.rawValue)\n")
        var maker = BatchMaker(seed: seed)
        for number in 0..<count {
            let batch = try maker.batch(rowCount: BatchMaker.rowCounts[number % BatchMaker.rowCounts.count])
            do throws(CommitFailure) {
                try store.apply(batch)
                say("applied \(number)\n")
                try store.checkpointIfDue()
            } catch {
                say("refused \(number) \(error)\n")
            }
        }
        try store.close()
        say("closed\n")
    }

    private static func say(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(STDOUT_FILENO, bytes, bytes.count)
    }
}
