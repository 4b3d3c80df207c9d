// SPDX-License-Identifier: Apache-2.0
import NavClient
import Testing

/// Daemons that are paired and dial each other over TCP on free ports.
final class Cluster {
    let daemons: [Daemon]

    /// One daemon for each list; a list names the earlier daemons that it dials.
    init(peersOf lists: [[Int]]) throws {
        let scratch = try Scratch()
        var daemons: [Daemon] = []
        for (index, peers) in lists.enumerated() {
            daemons.append(try Daemon(scratch, "d\(index)", listens: true))
            for peer in peers { try daemons[index].pair(with: daemons[peer]) }
        }
        self.daemons = daemons
    }

    subscript(index: Int) -> Daemon { daemons[index] }

    /// Waits until a push on each daemon has reached all others: then every link works.
    func linkUp() throws {
        for daemon in daemons { try daemon.ctl.succeed("push", "link/\(daemon.name)", Samples.path("empty")) }
        for daemon in daemons {
            let hasAll = try Wait.until(15) {
                try daemon.ctl.succeed("list", "link/", "--names").lines.count == daemons.count
            }
            if !hasAll { throw HarnessError("\(daemon.name) is not linked to all; its log:\n\(daemon.log)") }
        }
    }

    /// Fails unless every daemon comes to hold this path under that name.
    func expectEverywhere(
        _ name: String, _ path: [UInt8], at place: SourceLocation = #_sourceLocation
    ) throws {
        let first = daemons[0]
        let agreed = try Wait.until(15) {
            let answers = try daemons.map { try $0.ctl("pull", name, "--meta", "--json") }
            return answers.allSatisfy { $0.status == 0 } && Set(answers.map(\.text)).count == 1
        }
        #expect(agreed, "the daemons do not agree about \(name); \(first.log)", sourceLocation: place)
        for daemon in daemons {
            try PathText.expectSamePath(daemon.ctl.succeed("pull", name).output, path, at: place)
        }
    }

    /// Fails when records still travel, or when more travelled than each push once over each direction of each link.
    func expectSilence(afterPushes pushes: Int, links: Int, at place: SourceLocation = #_sourceLocation) throws {
        var last: [String: String] = [:]
        let isSilent = try Wait.until(10) {
            let counters = try recordCounters()
            defer { last = counters }
            return counters == last
        }
        #expect(isSilent, "records still travel: \(last)", sourceLocation: place)
        let received = last.values.compactMap { Int($0) }.reduce(0, +)
        #expect(received >= pushes * (daemons.count - 1), "\(last)", sourceLocation: place)
        #expect(received <= pushes * links * 2, "\(last)", sourceLocation: place)
    }

    private func recordCounters() throws -> [String: String] {
        var counters: [String: String] = [:]
        for daemon in daemons {
            for (key, value) in try daemon.status() where key.hasSuffix(".records-received") {
                counters["\(daemon.name) \(key)"] = value
            }
        }
        return counters
    }
}

/// A watch of one daemon that began before the test's first write.
struct Watcher {
    private var watch: Watch

    init(_ daemon: Daemon, prefix: String = "") throws {
        watch = Watch(
            address: try DaemonAddress(daemon.socket), prefix: prefix, startsWithPresent: false,
            timeoutMilliseconds: 10_000)
        try watch.start()
    }

    /// The names of the changes up to the one that completes `names`; fails when that takes too long.
    mutating func names(untilAllOf names: Set<String>) throws -> [String] {
        var missing = names
        var told: [String] = []
        let deadline = Deadline.after(milliseconds: 20_000)
        while !missing.isEmpty {
            guard let event = try watch.next(before: deadline) else {
                throw HarnessError("a watcher was told \(told) and waits in vain for \(missing)")
            }
            guard case .change(let change) = event else { continue }
            told.append(change.name)
            missing.remove(change.name)
        }
        return told
    }
}
