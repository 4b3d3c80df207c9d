// SPDX-License-Identifier: Apache-2.0
import NavClient
import NavSync
import Testing

/// Several daemons: what is written on one is on all, once.
@Suite struct ReplicationTests {
    @Test func aPathPushedOnOneDaemonIsPulledFromTheOther() throws {
        let cluster = try Cluster(peersOf: [[], [0]])
        try cluster[0].ctl.succeed("push", "shop/cart", Samples.path("shop"))
        try cluster.expectEverywhere("shop/cart", Samples.bytes("shop"))
        try cluster[1].ctl.succeed("push", "shop/cart", Samples.path("reader"))
        try cluster.expectEverywhere("shop/cart", Samples.bytes("reader"))
    }

    @Test(arguments: [("a pair", [[], [0]]), ("a chain", [[], [0], [1]]), ("a ring", [[], [0], [0, 1]])])
    func onePushIsOneEventAtEveryWatcherAndThenSilence(_ shape: String, _ peers: [[Int]]) throws {
        let cluster = try Cluster(peersOf: peers)
        try cluster.linkUp()
        var watchers = try cluster.daemons.map { try Watcher($0) }
        try cluster[0].ctl.succeed("push", "news", Samples.path("shop"))
        // Whatever the push sets off is over once a later push has gone everywhere, from each daemon.
        for index in cluster.daemons.indices {
            try cluster[index].ctl.succeed("push", "end/\(index)", Samples.path("empty"))
        }
        let ends = Set(cluster.daemons.indices.map { "end/\($0)" })
        for index in watchers.indices {
            let told = try watchers[index].names(untilAllOf: ends)
            #expect(told.filter { $0 == "news" }.count == 1, "\(shape), watcher \(index): \(told)")
            #expect(told.count == 1 + ends.count, "\(shape), watcher \(index): \(told)")
        }
        let pushes = 1 + 2 * cluster.daemons.count
        try cluster.expectSilence(afterPushes: pushes, links: peers.reduce(0) { $0 + $1.count })
    }

    @Test func aRemovedStackDoesNotComeBackFromADaemonThatWasAway() throws {
        let cluster = try Cluster(peersOf: [[], [0]])
        try cluster[0].ctl.succeed("push", "gone", Samples.path("shop"))
        try cluster[0].ctl.succeed("push", "kept", Samples.path("shop"))
        try cluster.expectEverywhere("gone", Samples.bytes("shop"))
        try cluster.expectEverywhere("kept", Samples.bytes("shop"))
        try cluster[1].stop()
        try cluster[0].ctl.succeed("rm", "gone")
        try cluster[1].start()
        try cluster[0].ctl.succeed("push", "end", Samples.path("empty"))
        try cluster.expectEverywhere("end", Samples.bytes("empty"))
        for daemon in cluster.daemons {
            #expect(try daemon.ctl("pull", "gone").status == 3, "\(daemon.name)")
            #expect(try daemon.ctl.succeed("list", "--names").lines == ["end", "kept"], "\(daemon.name)")
        }
    }

    @Test func afterBothWroteWhileApartTheSameWriteWinsOnBoth() throws {
        let cluster = try Cluster(peersOf: [[], [0]])
        try cluster[0].ctl.succeed("push", "cart", Samples.path("empty"))
        try cluster.expectEverywhere("cart", Samples.bytes("empty"))
        // Apart: each runs while the other does not.
        try cluster[1].stop()
        let first = try cluster[0].ctl.succeed("push", "cart", Samples.path("shop"), "--json").text
        try cluster[0].stop()
        try cluster[1].start()
        let second = try cluster[1].ctl.succeed("push", "cart", Samples.path("reader"), "--json").text
        try cluster[0].start()
        let stamps = [first, second].compactMap { Text.field("stamp", of: $0) }
        let winner = try #require(stamps.max())
        let agreed = try Wait.until(10) {
            try cluster.daemons.allSatisfy {
                try Text.field("stamp", of: $0.ctl.succeed("pull", "cart", "--meta", "--json").text) == winner
            }
        }
        #expect(agreed, "the later write \(winner) did not win on both")
        try cluster.expectEverywhere("cart", Samples.bytes(winner == stamps[0] ? "shop" : "reader"))
    }

    @Test func aWatchGoesOnOverARestartOfItsDaemon() throws {
        let scratch = try Scratch()
        let daemon = try Daemon(scratch, "a")
        var watcher = try Watcher(daemon)
        try daemon.ctl.succeed("push", "one", Samples.path("shop"))
        #expect(try watcher.names(untilAllOf: ["one"]) == ["one"])
        try daemon.kill()
        try daemon.start()
        try daemon.ctl.succeed("push", "two", Samples.path("shop"))
        #expect(try watcher.names(untilAllOf: ["two"]) == ["two"])
    }

    @Test func aWatchThatToldNothingYetLearnsOfWhatItMissed() throws {
        let scratch = try Scratch()
        let daemon = try Daemon(scratch, "a")
        for name in ["kept", "gone"] { try daemon.ctl.succeed("push", name, Samples.path("shop")) }
        var watcher = try Watcher(daemon)
        try daemon.kill()
        try daemon.start()
        try daemon.ctl.succeed("rm", "gone")
        try daemon.ctl.succeed("push", "new", Samples.path("shop"))
        #expect(try watcher.names(untilAllOf: ["gone", "new"]).sorted() == ["gone", "new"])
    }

    @Test func watchersThatWereKilledLeaveNothingBehind() throws {
        let daemon = try Daemon(Scratch(), "a")
        for _ in 0..<50 {
            let line = try RawLine.greeted(daemon)
            line.send(Subscribe(request: RequestID(rawValue: 1), start: .beginning).frame)
            _ = try line.receive()
        }
        for _ in 0..<500 { _ = try RawLine(daemon) }
        #expect(try Wait.until(5) { try daemon.status()["sessions.watchers"] == "0" })
        #expect(try Wait.until(10) { try daemon.status()["sessions.without-hello"] == "0" })
    }

    @Test func theCommandLineWatchesAndEndsAfterItsCount() throws {
        let scratch = try Scratch()
        let daemon = try Daemon(scratch, "a")
        try daemon.ctl.succeed("push", "shop/one", Samples.path("shop"))
        let shown = try daemon.ctl.succeed("watch", "shop/", "--all", "--json", "-n", "1")
        #expect(Text.field("event", of: shown.text) == "written")
        #expect(Text.field("name", of: shown.text) == "shop/one")
    }
}
