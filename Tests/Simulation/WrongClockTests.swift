// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

/// A write under a clock that is years ahead, and the way out of it that the manual gives.
@Suite struct WrongClockTests {
    private static let tenYears: Int64 = 10 * 365 * 86_400_000

    /// Two linked nodes, of which the second has written ten years ahead and has the right time again.
    private func makeWorld(seed: UInt64) -> (World, SimulatedNode) {
        let world = World(seed: seed, topology: .mutualPair, nodeCount: 2)
        world.isRough = false
        for node in world.nodes { node.start() }
        for node in world.nodes { for _ in 0..<10 { node.writeSomething() } }
        world.run(seconds: 30)
        let node = world.nodes[1]
        node.clockOffsetMilliseconds = Self.tenYears
        node.push(name("under/a/wrong/clock"), [7])
        world.run(seconds: 5)
        node.clockOffsetMilliseconds = 0
        return (world, node)
    }

    /// Live stacks that are stamped in the future, as `list` shows them and `pull` gives them.
    private func futureStacks(of node: SimulatedNode) -> [(StackName, [UInt8])] {
        node.liveState.compactMap { name, live in
            guard live.stamp.time.milliseconds > node.now.wallMilliseconds,
                let row = node.store.rows.last(where: { $0.record.stamp == live.stamp }),
                case .envelope(let envelope, _) = row.record.content
            else { return nil }
            return (name, envelope)
        }
    }

    private func ahead(_ world: World) -> [UInt64] {
        world.events.compactMap { if $0.node == 1, case .floorAhead(let it) = $0.event { it } else { nil } }
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>) func isSaidWhereItWasWrittenOnceForEachStart(seed: UInt64) {
        let (world, node) = makeWorld(seed: seed)
        #expect(ahead(world).isEmpty, "the node cannot know while its clock agrees")
        world.run(seconds: 60)
        for _ in 0..<5 { node.writeSomething() }
        world.run(seconds: 60)
        #expect(ahead(world).count == 1, "seed \(seed)")
        node.crash()
        node.start()
        world.run(seconds: 60)
        #expect(ahead(world).count == 2, "seed \(seed)")
        #expect(ahead(world).allSatisfy { $0 > UInt64(Self.tenYears) - 3_600_000 })
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>) func aNewStoreAndAnotherPushOfWhatIsNewEndTheRefusals(seed: UInt64) {
        let (world, node) = makeWorld(seed: seed)
        node.crash()
        node.start()
        node.push(name("after/it"), [8])
        world.run(seconds: 60)
        #expect(world.nodes[0].liveState[name("under/a/wrong/clock")] == nil)
        #expect(world.nodes[0].liveState[name("after/it")] == nil, "a right clock alone does not help")

        let saved = futureStacks(of: node)
        #expect(saved.count == 2)
        node.crash()
        node.store = MemoryStore(incarnation: Incarnation(rawValue: 9_000 + seed))
        let said = ahead(world).count
        // A new store begins to count its starts anew: the peer must have seen the end of the old link, or it takes the
        // node for a copy for some minutes.
        world.run(seconds: 5)
        node.start()
        world.run(seconds: 60)
        #expect(node.liveState == world.nodes[0].liveState, "seed \(seed): the peer fills it again")
        for (name, envelope) in saved { node.push(name, envelope) }
        for other in world.nodes { for _ in 0..<5 { other.writeSomething() } }
        world.run(seconds: 60)
        #expect(node.liveState == world.nodes[0].liveState, "seed \(seed)")
        for (name, envelope) in saved {
            #expect(world.nodes[0].liveState[name]?.contentHash == testHash(envelope), "seed \(seed)")
        }
        #expect(ahead(world).count == said)
    }
}
