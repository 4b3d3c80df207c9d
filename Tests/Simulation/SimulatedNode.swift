// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport

/// One daemon: a replica while it runs, and a disk that survives it.
final class SimulatedNode {
    let number: Int
    let id: NodeID
    unowned let world: World
    let configuration: ReplicaConfiguration
    /// Which node each of the configuration's peers is.
    let dialled: [Int]
    var store: MemoryStore
    /// The disk as it was at some starts.
    private(set) var copies: [MemoryStore] = []
    var clockOffsetMilliseconds: Int64 = 0
    private(set) var replica: Replica?
    /// Counts starts: what was scheduled for an earlier life is dropped.
    private(set) var life = 0
    private var wakeAt = UInt64.max
    private var commitInFlight: CommitBatch?

    private let client = SessionID(rawValue: 1)
    private var clientInbox = MessageInbox()
    private var writes: [UInt64: Write] = [:]
    private var nextRequest: UInt64 = 10
    private(set) var watched: [StackName: WireRecord] = [:]
    private(set) var eventsByStamp: [Stamp: Int] = [:]

    struct Write {
        let name: StackName
        let envelope: [UInt8]?
    }

    init(number: Int, dialled: [Int], configuration: ReplicaConfiguration, world: World) {
        self.number = number
        id = node(UInt64(number + 1))
        self.dialled = dialled
        self.configuration = configuration
        self.world = world
        store = MemoryStore(incarnation: Incarnation(rawValue: UInt64(1000 + number)))
    }

    /// The same identity on a copy of the same disk.
    init(copyOf original: SimulatedNode, number: Int) {
        self.number = number
        id = original.id
        dialled = original.dialled
        configuration = original.configuration
        world = original.world
        store = original.store
    }

    var now: Instant {
        let wall = Int64(World.startMilliseconds) + Int64(world.agenda.now / 1_000_000) + clockOffsetMilliseconds
        return Instant(
            wallMilliseconds: UInt64(max(0, wall)), monotonicNanoseconds: world.agenda.now + 1, isSynchronised: true)
    }

    // MARK: Life

    func start() {
        guard replica == nil else { return }
        life += 1
        copies.append(store)
        replica = Replica(
            node: id, configuration: configuration, recovered: store.open(node: id), inspect: testInspect,
            seed: world.generator.next())
        wakeAt = .max
        clientInbox = MessageInbox()
        writes = [:]
        watched = [:]
        eventsByStamp = [:]
        tell { $0.connectionOpened(client, .accepted(.unix, nil), .believed, at: now) }
        var bytes: [UInt8] = []
        Hello.client(software: "simulation").write(to: &bytes)
        Subscribe(request: RequestID(rawValue: 2), start: .beginning).write(to: &bytes)
        tell { $0.bytesReceived(client, bytes, at: now) }
    }

    /// Power fails: a commit that was under way is on disk or is not, and nobody was told.
    func crash() {
        guard replica != nil else { return }
        replica = nil
        if let batch = commitInFlight, world.chance(50) { try? store.apply(batch) }
        commitInFlight = nil
        world.breakConnections(of: number)
    }

    // MARK: Events

    func tell(_ event: (inout Replica) -> Void) {
        guard replica != nil else { return }
        event(&replica!)
        settle()
    }

    private func settle() {
        var rounds = 0
        while replica != nil {
            guard let actions = replica?.endRound(at: now), !actions.isEmpty else { break }
            for action in actions { perform(action) }
            rounds += 1
            precondition(rounds < 100_000, "a replica that never comes to rest")
        }
        scheduleWake()
    }

    private func scheduleWake() {
        guard let deadline = replica?.nextDeadline, deadline < wakeAt else { return }
        wakeAt = deadline
        let life = life
        world.after(deadline - min(deadline, now.monotonicNanoseconds)) { [self] in
            guard self.life == life, replica != nil, wakeAt == deadline else { return }
            wakeAt = .max
            tell { $0.timePassed(at: now) }
        }
    }

    // MARK: Actions

    private func perform(_ action: Action) {
        switch action {
        case .send(client, let bytes): readClient(bytes)
        case .send(let id, let bytes): world.send(bytes, from: number, id)
        case .close(let id, _): world.close(number, id)
        case .pause(let id): world.setPaused(true, number, id)
        case .resume(let id): world.setPaused(false, number, id)
        case .dial(let target): world.dial(from: number, to: dialled[target.rawValue], target: target)
        case .commit(let batch): commit(batch)
        case .readEnvelope(let token, let sequence):
            let failure: EnvelopeRead? = world.isRough && world.chance(10) ? .failed("simulated") : nil
            after(milliseconds: 0...5) { [self] in
                tell { $0.envelopeRead(token, failure ?? store.answer(at: sequence), at: now) }
            }
        case .readHistory(let token, let question):
            after(milliseconds: 0...5) { [self] in
                tell { $0.historyRead(token, store.answer(question), at: now) }
            }
        case .manage: preconditionFailure("no simulated client manages a daemon")
        case .report(let event): world.note(event, of: number)
        }
    }

    private func commit(_ batch: CommitBatch) {
        precondition(commitInFlight == nil, "two commits are outstanding")
        checkSequences(of: batch)
        commitInFlight = batch
        let isFull = world.isRough && world.chance(2)
        after(milliseconds: 0...12) { [self] in
            commitInFlight = nil
            if isFull {
                tell { $0.batchFailed(.full("simulated"), at: now) }
            } else {
                try? store.apply(batch)
                tell { $0.batchCommitted(at: now) }
            }
        }
    }

    private func checkSequences(of batch: CommitBatch) {
        var last = store.rows.last?.sequence ?? .zero
        for row in batch.rows {
            precondition(row.sequence > last, "a sequence that was given out before")
            last = row.sequence
        }
    }

    private func after(milliseconds: ClosedRange<UInt64>, _ happen: @escaping () -> Void) {
        let life = life
        world.after(world.draw(milliseconds) * 1_000_000 + 1) { [self] in
            guard self.life == life, replica != nil else { return }
            happen()
        }
    }

    // MARK: The local client

    /// Writes something to a random name, and remembers to check it once it is acknowledged.
    func writeSomething() {
        guard replica != nil else { return }
        let name = world.randomName()
        let request = RequestID(rawValue: nextRequest)
        nextRequest += 1
        if world.chance(15) {
            writes[request.rawValue] = Write(name: name, envelope: nil)
            tell { $0.bytesReceived(client, Delete(request: request, name: name).frame, at: now) }
        } else {
            let envelope = world.randomEnvelope()
            writes[request.rawValue] = Write(name: name, envelope: envelope)
            tell {
                $0.bytesReceived(client, Push(request: request, name: name, envelope: envelope).frame, at: now)
            }
        }
    }

    func push(_ name: StackName, _ envelope: [UInt8]) {
        let request = RequestID(rawValue: nextRequest)
        nextRequest += 1
        writes[request.rawValue] = Write(name: name, envelope: envelope)
        tell { $0.bytesReceived(client, Push(request: request, name: name, envelope: envelope).frame, at: now) }
    }

    private func readClient(_ bytes: [UInt8]) {
        guard let messages = try? clientInbox.read(bytes) else { preconditionFailure("no message") }
        for message in messages {
            switch message {
            case .acknowledge(let message):
                guard let write = writes.removeValue(forKey: message.request.rawValue), let stamp = message.stamp
                else { continue }
                precondition(store.rows.contains { $0.record.stamp == stamp }, "acknowledged and not on disk")
                world.acknowledged.append(
                    World.Acknowledged(name: write.name, stamp: stamp, envelope: write.envelope, node: number))
            case .records(let records):
                for record in records.items {
                    watched[record.name] = record
                    eventsByStamp[record.stamp, default: 0] += 1
                }
            case .error(let message): writes[message.request.rawValue] = nil
            default: continue
            }
        }
        let life = life
        world.after(1000) { [self] in
            if self.life == life { tell { $0.drained(client, at: now) } }
        }
    }
}
