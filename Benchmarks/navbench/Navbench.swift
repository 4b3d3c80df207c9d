// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Measures the codec beside Foundation's. Ratios are of one run; times alone say more about the machine.
@main
enum Navbench {
    static let usage = """
        usage: navbench codec [--json] [--quick]
               navbench allocations
               navbench profile encode|decode|direct-encode|direct-decode|scan [S|M|L]

        codec        sizes, speed and allocations beside JSONEncoder, JSON as SwiftUI nests it and binary property lists
          --json     one object for machines
          --quick    shorter rounds
        allocations  `name count` for each operation, for Benchmarks/check-allocations
        profile      does one thing for a while, for a profiler to look at
        """

    static func main() throws {
        var arguments = CommandLine.arguments.dropFirst()
        switch arguments.popFirst() {
        case "codec": try codec(Array(arguments))
        case "allocations":
            for (name, count) in try Report.allocations() { print(name, count) }
        case "profile": try Profile(arguments).run()
        default:
            print(usage)
            exit(2)
        }
    }

    private static func codec(_ options: [String]) throws {
        var effort = Stopwatch.Effort()
        if options.contains("--quick") { effort = Stopwatch.Effort(rounds: 3, seconds: 0.02) }
        let report = try Report(effort)
        if options.contains("--json") {
            print(report.json)
        } else {
            print(report.text)
        }
    }
}
