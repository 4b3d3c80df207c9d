// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavWire

@main
enum Navbench {
    static func main() throws {
        if CommandLine.arguments.count > 2, CommandLine.arguments[1] == "profile" {
            return try profile(CommandLine.arguments[2])
        }
        let (navWire, json0) = (Codec.makeNavWire(), Codec.makeJson())
        for (name, set) in [("S", Sets.S), ("M", Sets.M), ("L", Sets.L)] {
            let mine = try set.map(navWire.encode)
            let json = try set.map(json0.encode)
            for (path, bytes) in zip(set, mine) {
                let back = try navWire.decode(bytes)
                precondition(back == path)
            }
            let sizes = (mine.map(\.count).reduce(0, +) / set.count, json.map(\.count).reduce(0, +) / set.count)
            let times = try Stopwatch.best(
                .init(),
                [
                    { for path in set { try navWire.run(path) } },
                    { for path in set { try json0.run(path) } },
                    { for bytes in mine { _ = try navWire.decode(bytes) } },
                    {
                        let d = JSONDecoder(); for bytes in json { _ = try d.decode(Path.self, from: Data(bytes)) }
                    },
                ])
            let allocs = try Stopwatch.allocations { try navWire.run(set[0]) }
            let z = NavWireEncoder(options: .init())
            let zs = try set.map { try z.encode($0).count }.reduce(0, +) / set.count
            print(
                name, sizes.0, sizes.1, Double(sizes.0) / Double(sizes.1), "z", zs, Double(zs) / Double(sizes.1), "enc",
                times[1] / times[0], "dec", times[3] / times[2], "us", times.map { $0 * 1e6 / Double(set.count) },
                "allocs", allocs)
        }
        let set = Array(Sets.X[..<5000])
        let z = NavWireEncoder(options: .init())
        let mine = try set.map { try navWire.encode($0).count }.reduce(0, +)
        let zs = try set.map { try z.encode($0).count }.reduce(0, +)
        let json = try set.map { try json0.encode($0).count }.reduce(0, +)
        print("X", mine / 5000, zs / 5000, json / 5000)
    }

    /// Does one thing for a while, for a profiler to look at.
    static func profile(_ what: String) throws {
        let navWire = Codec.makeNavWire()
        let bytes = try Sets.M.map(navWire.encode)
        for _ in 0..<4000 {
            if what == "encode" {
                for path in Sets.M { try navWire.run(path) }
            } else {
                for bytes in bytes { _ = try navWire.decode(bytes) }
            }
        }
    }
}
