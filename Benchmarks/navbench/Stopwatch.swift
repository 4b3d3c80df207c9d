// SPDX-License-Identifier: Apache-2.0
import CAllocationCount
import Glibc

/// Measures how long one pass over some values takes.
enum Stopwatch {
    /// Rounds and their length.
    struct Effort {
        var rounds = 9
        var seconds = 0.06
    }

    /// Seconds for one call of each body: the median of rounds, by turns so that a slow moment hits all of them.
    static func medians(_ effort: Effort, _ bodies: [() throws -> Void]) throws -> [Double] {
        var found = bodies.map { _ in [Double]() }
        for body in bodies { try body() }
        for _ in 0..<effort.rounds {
            for (index, body) in bodies.enumerated() {
                found[index].append(try secondsPerCall(of: body, during: effort.seconds))
            }
        }
        return found.map { $0.sorted()[effort.rounds / 2] }
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
