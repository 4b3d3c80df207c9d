// SPDX-License-Identifier: Apache-2.0
import NavSync

/// A replica whose store takes everything at once and whose sockets are always empty.
final class ReplicaUnderLoad {
    var replica: Replica
    private(set) var outbox: [(SessionID, [UInt8])] = []
    private let now = Instant(
        wallMilliseconds: 1_800_000_000_000, monotonicNanoseconds: 1_000_000, isSynchronised: true)
    var keepsOutput = false

    init(node: UInt64) {
        let recovered = RecoveredState(
            incarnation: Incarnation(rawValue: node), startCounter: 1, nextSequence: Sequence(rawValue: 1),
            index: StackIndex(hashSeed: node), marks: [], cursors: [:], refusals: [], floor: .zero, writeCount: 0)
        replica = Replica(
            node: NodeID(high: node, low: 0), configuration: ReplicaConfiguration(targets: [PeerTarget(label: "peer")]),
            recovered: recovered,
            inspect: Requests.hash, seed: node)
    }

    func openClient(_ number: UInt64) -> SessionID {
        let id = SessionID(rawValue: number)
        replica.connectionOpened(id, .accepted(.unix, nil), .believed, at: now)
        receive(Hello.client(software: "syncbench").frame, on: id)
        finishRound()
        return id
    }

    func openWatcher(_ number: UInt64) {
        let id = openClient(number)
        receive(Subscribe(request: RequestID(rawValue: 1), start: .now).frame, on: id)
        finishRound()
    }

    func fill(_ count: Int) {
        let id = openClient(99_999)
        for number in 0..<count {
            receive(
                Push(
                    request: RequestID(rawValue: 1), name: Requests.name(number), envelope: Requests.envelope(number)
                ).frame, on: id)
            if number % 1000 == 999 { finishRound() }
        }
        finishRound()
    }

    func open(_ id: SessionID, _ origin: ConnectionOrigin) { replica.connectionOpened(id, origin, .believed, at: now) }

    func receive(_ bytes: [UInt8], on id: SessionID) { replica.bytesReceived(id, bytes[...], at: now) }

    /// Ends rounds until nothing more comes out.
    func finishRound() {
        while true {
            let actions = replica.endRound(at: now)
            if actions.isEmpty { return }
            for action in actions {
                switch action {
                case .send(let id, let bytes):
                    if keepsOutput { outbox.append((id, bytes)) }
                    replica.drained(id, at: now)
                case .commit: replica.batchCommitted(at: now)
                case .close, .pause, .resume, .dial, .readEnvelope, .readHistory, .manage, .report: break
                }
            }
        }
    }

    func takeOutput() -> [(SessionID, [UInt8])] {
        defer { outbox.removeAll(keepingCapacity: true) }
        return outbox
    }
}

/// Two replicas with a link.
final class LinkedPair {
    let first = ReplicaUnderLoad(node: 1)
    let second = ReplicaUnderLoad(node: 2)
    private let link = SessionID(rawValue: 50_000)

    init() {
        first.keepsOutput = true
        second.keepsOutput = true
        first.open(link, .accepted(.tcp, nil))
        second.open(link, .dialled(TargetPlace(rawValue: 0)))
        settle()
    }

    func settle() {
        var isMoving = true
        while isMoving {
            isMoving = false
            for (from, to) in [(first, second), (second, first)] {
                from.finishRound()
                for (id, bytes) in from.takeOutput() where id == link {
                    to.receive(bytes, on: link)
                    isMoving = true
                }
            }
        }
    }

    var agree: Bool { first.status("store.stacks") == second.status("store.stacks") }
}

extension ReplicaUnderLoad {
    func status(_ key: String) -> String? {
        let keeps = keepsOutput
        keepsOutput = true
        defer { keepsOutput = keeps }
        let id = openClient(77_777)
        _ = takeOutput()
        receive(Status(request: RequestID(rawValue: 1)).frame, on: id)
        finishRound()
        var cutter = FrameCutter()
        for (_, bytes) in takeOutput() { cutter.append(bytes) }
        guard let frame = try? cutter.next(limit: 1 << 20),
            case .statusReport(let report)? = try? Message(reading: frame)
        else { return nil }
        return report.items.first { $0.key == key }?.value
    }
}
