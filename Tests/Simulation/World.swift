// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport

/// Some nodes, a network that fails, and a clock: all of it follows from one seed.
final class World {
    static let startMilliseconds: UInt64 = 1_800_000_000_000

    struct Acknowledged {
        let name: StackName
        let stamp: Stamp
        let envelope: [UInt8]?
        let node: Int
    }

    /// One end of a connection.
    private final class End {
        let node: Int
        let id: SessionID
        let link: Int
        var isPaused = false
        var backlog: [[UInt8]] = []
        var deliversAt: UInt64 = 0

        init(node: Int, id: SessionID, link: Int) {
            self.node = node
            self.id = id
            self.link = link
        }
    }

    var agenda = Agenda()
    var generator: SeededGenerator
    private(set) var nodes: [SimulatedNode] = []
    var acknowledged: [Acknowledged] = []
    /// Whether things go wrong.
    var isRough = true
    private(set) var events: [(node: Int, event: Event)] = []
    /// Bytes that crossed the network.
    private(set) var sentByteCount = 0
    private var ends: [Int: [SessionID: (mine: End, other: End)]] = [:]
    private var nextSession: UInt64 = 100
    private var cut: Set<Int> = []
    private let nameCount: UInt64
    /// What each node lets every other do.
    private let rights: Rights

    /// With few names most writes overwrite each other; with many a lost one stays lost.
    init(
        seed: UInt64, topology: Topology, nodeCount: Int, names: ClosedRange<UInt64> = 1...30,
        limits: SyncLimits = .default, rights: Rights = .all
    ) {
        generator = SeededGenerator(seed: seed)
        self.rights = rights
        nameCount = UInt64.random(in: names, using: &generator)
        for number in 0..<nodeCount {
            let dialled = topology.dialled(by: number, of: nodeCount)
            let configuration = ReplicaConfiguration(
                targets: dialled.map { PeerTarget(label: "node \($0)") }, limits: limits)
            nodes.append(
                SimulatedNode(number: number, dialled: dialled, configuration: configuration, world: self))
        }
    }

    /// One more node, with the identity and the disk of another.
    func addCopy(of number: Int) -> SimulatedNode {
        let copy = SimulatedNode(copyOf: nodes[number], number: nodes.count)
        nodes.append(copy)
        return copy
    }

    /// Takes the last node out of the world for good.
    func removeLast() { nodes.removeLast().crash() }

    // MARK: Chance

    func chance(_ percent: UInt64) -> Bool { draw(0...99) < percent }
    func draw(_ range: ClosedRange<UInt64>) -> UInt64 { UInt64.random(in: range, using: &generator) }
    func randomName() -> StackName { name("stack/\(draw(0...nameCount - 1))") }

    func randomEnvelope() -> [UInt8] {
        // Small ones often repeat, so that identical contents meet; a few are too large for the index.
        let count = chance(5) ? Int(draw(4000...9000)) : Int(draw(1...3))
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: draw(0...3)) }
    }

    func after(_ nanoseconds: UInt64, _ happen: @escaping () -> Void) { agenda.add(after: nanoseconds, happen) }
    func note(_ event: Event, of node: Int) { events.append((node, event)) }

    func run(seconds: UInt64) {
        let end = agenda.now + seconds * 1_000_000_000
        while let happen = agenda.next(before: end) { happen() }
    }

    // MARK: Network

    private func pair(_ first: Int, _ second: Int) -> Int { min(first, second) * 1000 + max(first, second) }

    func dial(from node: Int, to other: Int, target: TargetPlace) {
        let life = nodes[node].life
        after(draw(1...20) * 1_000_000) { [self] in
            guard node < nodes.count, nodes[node].life == life else { return }
            guard !cut.contains(pair(node, other)), nodes[other].replica != nil else {
                nodes[node].tell { $0.dialFailed(target, reason: "unreachable", at: nodes[node].now) }
                return
            }
            connect(node, other, target: target)
        }
    }

    private func connect(_ node: Int, _ other: Int, target: TargetPlace) {
        nextSession += 2
        let link = Int(nextSession)
        let mine = End(node: node, id: SessionID(rawValue: nextSession), link: link)
        let theirs = End(node: other, id: SessionID(rawValue: nextSession + 1), link: link)
        ends[node, default: [:]][mine.id] = (mine, theirs)
        ends[other, default: [:]][theirs.id] = (theirs, mine)
        let (here, there) = (SessionAccess.peer(nodes[other].id, rights), SessionAccess.peer(nodes[node].id, rights))
        nodes[other].tell { $0.connectionOpened(theirs.id, .accepted(.tcp, nil), there, at: nodes[other].now) }
        nodes[node].tell { $0.connectionOpened(mine.id, .dialled(target), here, at: nodes[node].now) }
    }

    func send(_ bytes: [UInt8], from node: Int, _ id: SessionID) {
        guard let (_, other) = ends[node]?[id] else { return }
        sentByteCount += bytes.count
        if isRough, chance(1), chance(30) {
            breakConnection(node, id)
            return
        }
        let life = nodes[node].life
        // Now and then a reader takes its time.
        let pace = chance(2) ? draw(0...3000) : draw(0...3)
        after(pace * 1_000_000 + 1) { [self] in
            guard node < nodes.count, nodes[node].life == life else { return }
            nodes[node].tell { $0.drained(id, at: nodes[node].now) }
        }
        for chunk in split(bytes) {
            let delay = draw(0...40) * 1_000_000
            other.deliversAt = max(other.deliversAt + 1, agenda.now + delay)
            after(other.deliversAt - agenda.now) { [self] in deliver(chunk, to: other) }
        }
    }

    private func split(_ bytes: [UInt8]) -> [[UInt8]] {
        guard chance(20), bytes.count > 1 else { return [bytes] }
        let place = Int(draw(1...UInt64(bytes.count - 1)))
        return [Array(bytes[..<place]), Array(bytes[place...])]
    }

    private func deliver(_ bytes: [UInt8], to end: End) {
        guard end.node < nodes.count, ends[end.node]?[end.id] != nil, !cut.contains(pairOf(end)) else { return }
        if end.isPaused {
            end.backlog.append(bytes)
        } else {
            nodes[end.node].tell { $0.bytesReceived(end.id, bytes, at: nodes[end.node].now) }
        }
    }

    private func pairOf(_ end: End) -> Int {
        guard let (mine, other) = ends[end.node]?[end.id] else { return -1 }
        return pair(mine.node, other.node)
    }

    func setPaused(_ isPaused: Bool, _ node: Int, _ id: SessionID) {
        guard let end = ends[node]?[id]?.mine else { return }
        end.isPaused = isPaused
        guard !isPaused else { return }
        after(1) { [self] in
            while !end.isPaused, !end.backlog.isEmpty { deliver(end.backlog.removeFirst(), to: end) }
        }
    }

    /// In good order: what was sent before still arrives.
    func close(_ node: Int, _ id: SessionID) {
        guard let (_, other) = ends[node]?.removeValue(forKey: id) else { return }
        other.deliversAt = max(other.deliversAt + 1, agenda.now + draw(0...40) * 1_000_000)
        after(other.deliversAt - agenda.now) { [self] in end(other) }
    }

    private func end(_ end: End) {
        guard end.node < nodes.count, ends[end.node]?.removeValue(forKey: end.id) != nil else { return }
        nodes[end.node].tell { $0.connectionClosed(end.id, at: nodes[end.node].now) }
    }

    /// The connection dies; each side learns of it by itself, one of them perhaps much later.
    private func breakConnection(_ node: Int, _ id: SessionID) {
        guard let (mine, other) = ends[node]?[id] else { return }
        for side in [mine, other] {
            let delay = chance(10) ? draw(1...60) * 1_000_000_000 : draw(0...200) * 1_000_000
            after(delay) { [self] in end(side) }
            side.isPaused = true
            side.deliversAt = agenda.now + 3_600_000_000_000
        }
    }

    func breakConnections(of node: Int) {
        for (_, (mine, other)) in (ends.removeValue(forKey: node) ?? [:]).sorted(by: { $0.key < $1.key }) {
            _ = mine
            after(draw(0...300) * 1_000_000) { [self] in end(other) }
        }
    }

    /// Cuts two nodes apart, or joins them again. Connections that were cut stay silent.
    func setCut(_ isCut: Bool, _ first: Int, _ second: Int) {
        guard isCut else {
            cut.remove(pair(first, second))
            return
        }
        cut.insert(pair(first, second))
        for (id, (_, other)) in (ends[first] ?? [:]).sorted(by: { $0.key < $1.key }) where other.node == second {
            breakConnection(first, id)
        }
    }

    func joinAll() { cut = [] }
}

/// Who dials whom.
enum Topology: CaseIterable {
    case chain, ring, star, mesh, mutualPair

    func dialled(by number: Int, of count: Int) -> [Int] {
        switch self {
        case .chain: number + 1 < count ? [number + 1] : []
        case .ring: [(number + 1) % count]
        case .star: number == 0 ? [] : [0]
        case .mesh, .mutualPair: (0..<count).filter { $0 != number }
        }
    }
}
