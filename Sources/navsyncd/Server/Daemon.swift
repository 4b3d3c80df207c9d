// SPDX-License-Identifier: Apache-2.0
import NavPosix
import NavSync

/// One daemon: it owns all state of a state directory from `run` until `run` returns. A process may hold several.
///
/// The loop's thread owns the replica and the connections; the store has a thread of its own. How it starts, reloads and
/// stops is in Lifecycle/, what it does meanwhile here. The loop runs only inside `run`, so the daemon is there for all
/// that the loop calls: timers, mailboxes, dialers and connections may hold it unowned.
final class Daemon {
    enum Phase: Hashable { case starting, loading, serving, draining, closingStore, ended }

    // What it was made with.
    var configuration: Configuration
    let reload: () throws(ConfigurationError) -> Configuration
    let log: Log
    let serviceManager: ServiceManager
    let loop: EventLoop
    let resolver: Resolver

    // What it owns once it is started.
    var phase = Phase.starting
    var lock: DirectoryLock?
    var node = NodeID(high: 0, low: 0)
    var replica: Replica?
    var store: StoreThread?
    var trust: Trust?
    var listeners: [ActiveListener] = []
    /// TCP sockets that are bound and do not listen yet: the port is known to be ours before the store is touched.
    var reserved: [ReservedSocket] = []
    var signals: SignalSource?
    var exitStatus = ExitStatus.success
    var startFailure: StartFailure?

    // Connections.
    var connections: [SessionID: OpenConnection] = [:]
    var dialers: [TargetPlace: Dialer] = [:]
    /// How often each was dialled since its last link.
    var fruitlessDials: [TargetPlace: UInt] = [:]
    /// The addresses of the peers that are dialled.
    var targetAddresses: [TargetPlace: SocketAddress] = [:]
    /// Those of them that were not configured but paired.
    var pairedTargets: [TargetPlace: NodeID] = [:]
    /// Links that are being used for a local program.
    var pairingCalls: [PairingCall] = []
    var nextSession: UInt64 = 1
    var connectionLimit = 1000
    var isHoldingListeners = false
    /// Connections of each local user.
    var connectionCounts: [UInt32: Int] = [:]

    // Time.
    var clock = DaemonClock()
    var startedAt: UInt64 = 0
    var replicaTimer: LoopTimer?
    var timers: [LoopTimer] = []
    var isCommitOutstanding = false
    var commitsStarted: UInt64 = 0
    var readsOutstanding = 0
    /// Sessions whose input has ended and which still wait for an answer.
    var endings: [SessionID: Ending] = [:]

    /// `reload` makes the configuration anew for SIGHUP.
    init(
        configuration: Configuration, log: Log, serviceManager: ServiceManager,
        reload: @escaping () throws(ConfigurationError) -> Configuration
    ) throws(PosixError) {
        self.configuration = configuration
        self.log = log
        self.serviceManager = serviceManager
        self.reload = reload
        loop = try EventLoop()
        resolver = Resolver(loop: loop)
    }

    /// Starts, serves until it is told to stop, and stops. `handlesSignals` is for the one daemon of a process.
    func run(handlesSignals: Bool) -> ExitStatus {
        startedAt = SystemClock.monotonicNanoseconds()
        do {
            try start(handlesSignals: handlesSignals)
            try loop.run { self.endRound() }
        } catch let failure as StartFailure {
            startFailure = failure
        } catch {
            startFailure = StartFailure(.failure, "\(error)")
        }
        return finish()
    }

    /// What other threads may ask of a daemon.
    enum Request: Sendable { case stop, reload }

    /// A mailbox for another thread's requests; make it before `run`.
    func makeRequests() -> Mailbox<Request> {
        loop.makeMailbox { [unowned self] request in
            switch request {
            case .stop: self.stop(because: "request")
            case .reload: self.reloadConfiguration()
            }
        }
    }

    func now() -> Instant { clock.now() }
}

/// A socket that is ours and does not listen yet.
struct ReservedSocket {
    let socket: BoundSocket
    /// The address of the configuration that it stands for; nil for one of the service manager.
    let configured: SocketAddress?
}

/// A socket that listens.
struct ActiveListener {
    let listener: Listener
    let configured: SocketAddress?
}

/// A connection and what the daemon knows of it.
struct OpenConnection {
    let connection: Connection
    let origin: ConnectionOrigin
    var stage: ConnectionStage
    /// Who is at the other end of a Unix socket.
    var credentials: PeerCredentials?
    /// What a local program may do, once it is known to be one.
    var role: LocalRole?
    /// Where the other end of a TCP connection is, or what was dialled.
    var address: String?
    /// The peer that has proved to be at the other end.
    var peer: NodeID?
    /// The session is forgotten, what is left is to write.
    var isClosing = false
}

/// The other side has ended its input: the connection stays until what it asked for is answered.
struct Ending {
    /// The commits after which everything it asked for is on disk.
    let afterCommit: UInt64
    let deadline: UInt64
}
