// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

/// Whole networks of replicas, in virtual time. A failure names its seed: put it into `knownSeeds`.
@Suite struct SimulationTests {
    /// Seeds that found something once.
    static let knownSeeds: [UInt64] = []

    @Test(arguments: knownSeeds + (1...60))
    func everybodyAgreesAndNothingAcknowledgedIsLost(seed: UInt64) {
        var chooser = SeededGenerator(seed: seed &* 7919)
        let topology = Topology.allCases.randomElement(using: &chooser) ?? .mesh
        let count = topology == .mutualPair ? 2 : Int.random(in: 2...5, using: &chooser)
        let world = World(seed: seed, topology: topology, nodeCount: count)
        world.live(seconds: 60, [.crash, .cut, .clockJump])
        world.quieten()
        let fault = world.fault
        #expect(fault == nil, "seed \(seed), \(topology) of \(count): \(fault ?? "")")
    }

    @Test(arguments: 1001...1020 as ClosedRange<UInt64>)
    func aRestoredCopyIsFilledAgain(seed: UInt64) {
        var chooser = SeededGenerator(seed: seed)
        let world = World(
            seed: seed, topology: .mesh, nodeCount: Int.random(in: 2...4, using: &chooser), names: 200...2000)
        world.live(seconds: 60, [.crash, .cut, .restore])
        world.quieten()
        let fault = world.fault
        #expect(fault == nil, "seed \(seed): \(fault ?? "")")
        #expect(world.events.contains { if case .cursorVoid = $0.event { true } else { false } })
    }

    /// Quotas that have just room for everything: a wrong count would refuse something.
    @Test(arguments: 3001...3010 as ClosedRange<UInt64>)
    func quotasThatAreNotPassedRefuseNothing(seed: UInt64) {
        var limits = SyncLimits.default
        limits.removedCount = 0
        limits.removedCountPerStack = 1
        let rights = Rights(read: .all, write: .all, maximumStackCount: 30, maximumByteCount: 30 * 9000)
        let world = World(seed: seed, topology: .ring, nodeCount: 3, limits: limits, rights: rights)
        world.live(seconds: 60, [.crash, .cut, .clockJump, .restore])
        world.quieten()
        let fault = world.fault
        #expect(fault == nil, "seed \(seed): \(fault ?? "")")
        #expect(!world.events.contains { if case .recordRefused = $0.event { true } else { false } }, "seed \(seed)")
    }

    @Test(arguments: 2001...2006 as ClosedRange<UInt64>)
    func aCopyOfANodeIsSaidAndHeldAwayInsteadOfFlapping(seed: UInt64) {
        let world = World(seed: seed, topology: .star, nodeCount: 2)
        world.live(seconds: 5, [])
        let copy = world.addCopy(of: 1)
        copy.start()
        let before = world.events.count
        world.isRough = false
        for second in 0..<200 as Range<Int> {
            if second.isMultiple(of: 10) { for node in world.nodes { node.writeSomething() } }
            world.run(seconds: 1)
        }
        let later = world.events.dropFirst(before)
        let links = later.count { if $0.node == 0, case .linkReady = $0.event { true } else { false } }
        #expect(links <= 2, "seed \(seed): \(links) links in 200 seconds")
        #expect(later.contains { if $0.node == 0, case .duplicateIdentity = $0.event { true } else { false } })
        world.removeLast()
        world.quieten()
        let states = world.nodes.map(\.liveState)
        // What the copy handed on may carry stamps that the original gave as well: equal states are what counts.
        #expect(states[0] == states[1], "seed \(seed): the nodes differ")
    }

    @Test func quietMeansSilence() {
        let world = World(seed: 5, topology: .ring, nodeCount: 3)
        world.live(seconds: 5, [])
        world.quieten()
        let before = world.sentByteCount
        world.run(seconds: 100)
        // Heartbeats of three links, one for each side and ten seconds, each answered, and nothing else.
        #expect(world.sentByteCount - before < 3 * 2 * 11 * 2 * 60)
    }
}

/// What can go wrong with a node or between two.
enum Trouble: CaseIterable {
    case crash, cut, clockJump
    /// The disk is replaced by an older copy of itself.
    case restore
}

extension World {
    /// Writes, crashes, cuts and clock jumps for a while.
    func live(seconds: UInt64, _ troubles: [Trouble]) {
        for node in nodes { node.start() }
        for node in nodes { scheduleWrites(node, until: seconds) }
        if !troubles.isEmpty { scheduleTrouble(troubles, until: seconds) }
        run(seconds: seconds)
    }

    private func scheduleWrites(_ node: SimulatedNode, until end: UInt64) {
        after(draw(1...2000) * 1_000_000) { [self] in
            guard agenda.now < end * 1_000_000_000 else { return }
            for _ in 0..<draw(1...5) { node.writeSomething() }
            scheduleWrites(node, until: end)
        }
    }

    private func scheduleTrouble(_ troubles: [Trouble], until end: UInt64) {
        after(draw(100...6000) * 1_000_000) { [self] in
            guard agenda.now < end * 1_000_000_000 else { return }
            make(troubles[Int(draw(0...UInt64(troubles.count - 1)))])
            scheduleTrouble(troubles, until: end)
        }
    }

    private func make(_ trouble: Trouble) {
        let node = Int(draw(0...UInt64(nodes.count - 1)))
        switch trouble {
        case .crash:
            nodes[node].crash()
            after(draw(0...5000) * 1_000_000) { [self] in nodes[node].start() }
        case .restore: restore(nodes[node])
        case .cut:
            let other = Int(draw(0...UInt64(nodes.count - 1)))
            guard other != node else { return }
            setCut(true, node, other)
            after(draw(100...20_000) * 1_000_000) { [self] in setCut(false, node, other) }
        case .clockJump: nodes[node].clockOffsetMilliseconds = Int64(draw(0...360_000)) - 180_000
        }
    }

    private func restore(_ node: SimulatedNode) {
        node.crash()
        let copy = node.copies[Int(draw(0...UInt64(node.copies.count - 1)))]
        node.store = copy
        // What only this node held since the copy is lost, and nobody can do anything about it.
        let states = nodes.map(\.liveState)
        acknowledged.removeAll { write in
            !states.contains { state in state[write.name].map { $0.stamp >= write.stamp } ?? false }
        }
        after(draw(0...5000) * 1_000_000) { [self] in
            node.start()
            // Often it passes the sequences that its peers know before they are back.
            for _ in 0..<draw(0...80) { node.writeSomething() }
        }
    }

    /// Nothing goes wrong any more, for long enough that stamps from the future come due.
    func quieten() {
        isRough = false
        joinAll()
        for node in nodes {
            node.clockOffsetMilliseconds = 0
            node.start()
        }
        run(seconds: 600)
    }

    /// What the oracle holds against the end state; nil when all is well.
    var fault: String? {
        let states = nodes.map { $0.liveState }
        for (number, state) in states.enumerated() where state != states[0] {
            let names = Set(state.keys).union(states[0].keys)
            let differing = names.filter { state[$0] != states[0][$0] }.sorted()
            let example = differing.first.map { "\($0): \(String(describing: states[0][$0])) here" } ?? ""
            return "node \(number) differs from node 0 in \(differing.count) names, \(example)"
        }
        for write in acknowledged {
            guard let live = states[0][write.name] else { return "\(write.name) is gone" }
            if live.stamp < write.stamp { return "a write of \(write.name) at \(write.stamp) is lost" }
            let isSame = live.contentHash == (write.envelope.map(testHash) ?? .zero)
            if live.stamp == write.stamp, !isSame { return "\(write.name) has another content than was written" }
        }
        for node in nodes { if let fault = faultOfWatcher(node) { return fault } }
        return nil
    }

    private func faultOfWatcher(_ node: SimulatedNode) -> String? {
        for (name, live) in node.liveState {
            guard let seen = node.watched[name] else {
                if live.isTombstone { continue }
                return "the watcher of node \(node.number) never heard of \(name)"
            }
            // A write of the same content wakes nobody, so the stamp may be older; the content may not.
            if contentHash(of: seen) != live.contentHash {
                return "the watcher of node \(node.number) has an old \(name)"
            }
        }
        if let twice = node.eventsByStamp.first(where: { $0.value > 1 }) {
            return "the watcher of node \(node.number) heard of \(twice.key) \(twice.value) times"
        }
        return nil
    }
}

private func contentHash(of record: WireRecord) -> ContentHash {
    if case .envelope(let envelope) = record.content { testHash(envelope) } else { .zero }
}

/// The live version of a name.
struct LiveVersion: Hashable {
    let stamp: Stamp
    let contentHash: ContentHash
    let isTombstone: Bool
}

extension SimulatedNode {
    /// What the disk says: the replica's own view must be the same.
    var liveState: [StackName: LiveVersion] {
        var index = StackIndex()
        for row in store.rows { index.replay(row) }
        var state: [StackName: LiveVersion] = [:]
        for row in store.rows {
            guard let entry = index[row.record.name] else { continue }
            state[entry.name] = LiveVersion(
                stamp: entry.stamp, contentHash: entry.contentHash, isTombstone: entry.isTombstone)
        }
        return state
    }
}
