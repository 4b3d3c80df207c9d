// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavPosix
import NavStore
import NavSync

/// The start, in its order: lock, identity, TCP ports, store, listeners, dialers, READY.
///
/// Nothing of the state directory is touched before the lock is held, and nothing of the store before it is known
/// that the ports can be had.
extension Daemon {
    func start(handlesSignals: Bool) throws {
        log(
            .info, .starting, (.version, Software.version), (.pid, getpid()),
            (.state, configuration.stateDirectory))
        raiseDescriptorLimit()
        if handlesSignals { signals = try SignalSource(loop: loop) { [unowned self] in self.received($0) } }
        try takeLock()
        try loadIdentity()
        try reserveSockets()
        try openStore()
    }

    private func raiseDescriptorLimit() {
        // Besides connections: the store, the loop, listeners, the config file at a reload.
        let own = 32
        let limit = DescriptorLimit.raise(towards: configuration.limits.maximumSessions + own + 32)
        connectionLimit = max(8, min(configuration.limits.maximumSessions + 32, limit - own))
    }

    private func takeLock() throws {
        do {
            try Directory.create(configuration.stateDirectory, mode: 0o700)
            try Directory.checkOnlyOwnerWrites(configuration.stateDirectory)
            switch try DirectoryLock.acquire(in: configuration.stateDirectory) {
            case .acquired(let lock): self.lock = lock
            case .held(let pid):
                let holder = pid.map { "process \($0)" } ?? "another process"
                throw StartFailure(
                    .locked, "the state directory \(configuration.stateDirectory) is in use by \(holder)",
                    hint: pid.map { "'ps -fp \($0)' shows it; stop it first, or choose another --state-dir" })
            }
        } catch let error as PosixError {
            throw StartFailure(.unusableState, "\(error)", hint: "choose another --state-dir, or mend its permissions")
        }
    }

    private func loadIdentity() throws {
        let identity: NodeIdentity
        do {
            identity = try NodeIdentity.load(
                stateDirectory: configuration.stateDirectory,
                credentialsDirectory: getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) },
                describe: { NodeID(bytes: $0)?.text ?? "?" })
        } catch {
            throw StartFailure(.unusableState, error.reason, hint: error.hint)
        }
        guard let node = NodeID(bytes: identity.nodeID) else {
            throw StartFailure(.failure, "the identity has an id of \(identity.nodeID.count) bytes")
        }
        self.node = node
        try loadTrust(identity.key)
        if identity.source == .created { log(.info, .identityCreated, (.node, node.text)) }
        if identity.source == .recovered { log(.warning, .identityRecovered, (.node, node.text)) }
    }

    private func loadTrust(_ identity: IdentityKey) throws {
        do {
            let trust = try Trust(
                stateDirectory: configuration.stateDirectory, identity: identity,
                access: configuration.localAccess(socketGroup: try socketGroup()),
                wallMilliseconds: now().wallMilliseconds)
            self.trust = trust
            if trust.madeKey { log(.info, .keyRotated, (.generation, trust.tlsGeneration)) }
        } catch let error as TrustError {
            throw StartFailure(.unusableState, error.reason, hint: error.hint)
        } catch {
            throw StartFailure(.cannotListen, "\(error)")
        }
    }

    private func openStore() throws {
        phase = .loading
        serviceManager.notify(.status("loading the store"))
        log(.info, .loading)
        let answers = loop.makeMailbox { [unowned self] (answer: StoreAnswer) in self.storeAnswered(answer) }
        store = try StoreThread(directory: configuration.stateDirectory, node: node, answers: answers)
        askForTime()
    }

    /// A large store must not be taken for a daemon that hangs: while it loads, the manager is asked for more time.
    private func askForTime() {
        let timer = loop.makeTimer { [unowned self] in
            guard self.phase == .loading else { return }
            self.serviceManager.notify(.extendTimeout(microseconds: 10_000_000))
            self.askForTime()
        }
        timer.arm(at: now().monotonicNanoseconds + 1_000_000_000)
        timers.append(timer)
    }

    func storeOpened(_ recovered: RecoveredState, _ report: RecoveryReport) {
        // Told to stop while loading: the store is closed again at once.
        guard phase == .loading else { return }
        logRecovery(report)
        var settings = ReplicaConfiguration(
            targets: configuration.peers.map { PeerTarget(label: "\($0)") }, limits: configuration.limits,
            backOff: configuration.backOff, software: Software.daemon)
        settings.limits.maximumSessions = min(settings.limits.maximumSessions, connectionLimit)
        replica = Replica(
            node: node, configuration: settings, recovered: recovered,
            inspect: EnvelopeInspector.make(maximumByteCount: configuration.limits.maximumEnvelopeByteCount),
            seed: SecureRandom.uint64())
        for (number, address) in configuration.peers.enumerated() {
            targetAddresses[TargetPlace(rawValue: number)] = address
        }
        for peer in trust?.store.table.peers ?? [] { dialAddresses(of: peer) }
        do {
            try startListening()
        } catch {
            startFailure = error
            return beginEnd()
        }
        phase = .serving
        becomeReady()
    }

    private func logRecovery(_ report: RecoveryReport) {
        let took = (SystemClock.monotonicNanoseconds() - startedAt) / 1_000_000
        log(.info, .loaded, (.rows, report.rowCount), (.took, took))
        if report.wasInterrupted { log(.info, .storeInterrupted, (.reason, "the last run did not close the store")) }
        if let aside = report.setAside {
            log(
                .error, .storeSetAside, (.reason, aside.reason), (.file, aside.path), (.count, report.damagedRowCount),
                (.hint, "rows that verified were kept; peers send what is missing"))
        }
    }

    private func becomeReady() {
        replica?.timePassed(at: now())
        feedWatchdog()
        log(
            .info, .ready, (.node, node.text), (.took, (SystemClock.monotonicNanoseconds() - startedAt) / 1_000_000))
        serviceManager.notify(.ready(status: statusLine))
    }

    var statusLine: String { "serving as \(node.shortText), \(targetAddresses.count) peers configured" }

    /// Tells the manager's watchdog that the loop goes round. A store that is full or a peer that is away is no hang.
    private func feedWatchdog() {
        guard let interval = serviceManager.watchdogInterval else { return }
        serviceManager.notify(.watchdog)
        let timer = loop.makeTimer { [unowned self] in self.feedWatchdog() }
        timer.arm(at: now().monotonicNanoseconds + interval * 1000 / 3)
        timers = [timer]
    }

    /// The store could not be opened.
    func storeRefused(_ error: StoreError) {
        let status: ExitStatus = error.code == .locked ? .locked : .unusableState
        startFailure = StartFailure(status, error.reason)
        beginEnd()
    }
}
