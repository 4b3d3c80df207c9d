// SPDX-License-Identifier: Apache-2.0
import CAllocationCount
import Glibc

/// Measures how long one pass over some values takes.
enum Stopwatch {
    /// Rounds and their length. The best round counts: a shared machine only ever adds time.
    struct Effort {
        var rounds = 7
        var seconds = 0.06
    }

    /// Seconds for one call of each body, measured by turns so that a slow moment hits all of them.
    static func best(_ effort: Effort, _ bodies: [() throws -> Void]) throws -> [Double] {
        var best = bodies.map { _ in Double.infinity }
        for body in bodies { try body() }
        for _ in 0..<effort.rounds {
            for (index, body) in bodies.enumerated() {
                best[index] = min(best[index], try secondsPerCall(of: body, during: effort.seconds))
            }
        }
        return best
    }

    private static func secondsPerCall(of body: () throws -> Void, during wanted: Double) rethrows -> Double {
        var calls = 0
        let start = threadSeconds
        var elapsed = 0.0
        repeat {
            try body()
            calls += 1
            elapsed = threadSeconds - start
        } while elapsed < wanted
        return elapsed / Double(calls)
    }

    /// What this thread has had of a processor: other programs do not count.
    private static var threadSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Allocations of one call, when the memory of the coders is warm.
    static func allocations(of body: () throws -> Void) rethrows -> Int {
        try body()
        let before = allocation_count()
        try body()
        return Int(allocation_count() - before)
    }
}
