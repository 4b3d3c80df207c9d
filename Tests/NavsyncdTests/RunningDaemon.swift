// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavClient
import NavPosix
import NavTestSupport
import NavWire

@testable import navsyncd

/// A daemon in a thread of the test's process.
final class RunningDaemon: Sendable {
    let directory: String
    private let shared: Shared
    private let thread: WorkerThread

    /// What both threads see.
    private final class Shared: Sendable {
        let lines = Locked<[String]>([])
        let status = Locked<ExitStatus?>(nil)
        let requests = Locked<Mailbox<Daemon.Request>?>(nil)
        let fresh: Locked<Result<Configuration, ConfigurationError>>

        init(_ configuration: Configuration) { fresh = Locked(.success(configuration)) }
    }

    /// Starts a daemon whose state and socket are in `directory`.
    init(in directory: String, _ change: (inout Configuration) -> Void = { _ in }) throws {
        self.directory = directory
        var configuration = Configuration(defaultsFor: .system)
        configuration.stateDirectory = directory + "/state"
        configuration.socketPath = directory + "/socket"
        configuration.logLevel = .debug
        change(&configuration)
        let shared = Shared(configuration)
        self.shared = shared
        thread = try WorkerThread(name: "daemon") { [configuration] in Self.run(configuration, shared) }
    }

    private static func run(_ configuration: Configuration, _ shared: Shared) {
        let log = Log(level: configuration.logLevel, isJournal: true) { line in
            shared.lines.withLock { $0.append(line) }
        }
        var status = ExitStatus.failure
        do {
            let daemon = try Daemon(
                configuration: configuration, log: log, serviceManager: .none,
                reload: { () throws(ConfigurationError) in
                    try shared.fresh.withLock { $0 }.get()
                })
            let requests = daemon.makeRequests()
            shared.requests.withLock { $0 = requests }
            status = daemon.run(handlesSignals: false)
        } catch {
            shared.lines.withLock { $0.append("\(error)") }
        }
        shared.status.withLock { $0 = status }
    }

    var lines: [String] { shared.lines.withLock { $0 } }
    var exitStatus: ExitStatus? { shared.status.withLock { $0 } }
    var socket: String { directory + "/socket" }

    func awaitReady() throws {
        try waitUntil(seconds: 20, "ready: \(lines)") { self.exitStatus != nil || self.has("msg=ready") }
        guard has("msg=ready") else { throw TimedOut(what: "ready: \(lines)") }
    }

    func has(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

    func count(_ text: String) -> Int { lines.count { $0.contains(text) } }

    /// The TCP address that was chosen.
    func chosenAddress() throws -> String {
        guard let match = lines.lazy.compactMap({ $0.firstMatch(of: /listening address=(tcp:\S+)/) }).first else {
            throw TimedOut(what: "an address")
        }
        return String(match.1)
    }

    /// Configures anew, as SIGHUP does.
    func reload(_ fresh: Result<Configuration, ConfigurationError>) {
        shared.fresh.withLock { $0 = fresh }
        shared.requests.withLock { $0 }?.send(.reload)
    }

    func reload(_ change: (inout Configuration) -> Void) throws {
        var configuration = try shared.fresh.withLock { $0 }.get()
        change(&configuration)
        reload(.success(configuration))
    }

    /// Stops it and waits for its end.
    @discardableResult
    func stop() throws -> ExitStatus {
        try waitUntil(seconds: 10, "a daemon to stop") { self.shared.requests.withLock { $0 } != nil }
        shared.requests.withLock { $0 }?.send(.stop)
        return try awaitEnd()
    }

    func awaitEnd() throws -> ExitStatus {
        try waitUntil(seconds: 20, "the end: \(lines)") { self.exitStatus != nil }
        thread.join()
        guard let exitStatus else { throw TimedOut(what: "the end") }
        return exitStatus
    }

    func session() throws -> ClientSession {
        try ClientSession(to: DaemonAddress(socket), deadline: .after(milliseconds: 10_000))
    }

    func push(_ name: String, _ text: String) throws {
        _ = try session().push(
            envelope(text), to: name, expecting: .anything, deadline: .after(milliseconds: 10_000))
    }

    func pull(_ name: String) throws -> [UInt8]? {
        do throws(NavClientError) {
            return try ClientSession(to: DaemonAddress(socket), deadline: .after(milliseconds: 10_000))
                .pull(name, deadline: .after(milliseconds: 10_000)).envelope
        } catch {
            if error.code == .notFound { return nil }
            throw error
        }
    }
}

func envelope(_ text: String) throws -> [UInt8] {
    try PathEnvelope.encode(SwiftUIJSON.decode(Array("[\"Swift.String\", \"\\\"\(text)\\\"\"]".utf8)))
}

struct TimedOut: Error { let what: String }

/// Waits for a condition, without a sleep of its own choosing: the scheduler decides, the deadline ends it.
func waitUntil(seconds: UInt64, _ what: @autoclosure () -> String, _ isDone: () throws -> Bool) throws {
    let deadline = SystemClock.monotonicNanoseconds() + seconds * 1_000_000_000
    while try !isDone() {
        guard SystemClock.monotonicNanoseconds() < deadline else { throw TimedOut(what: what()) }
        // Five milliseconds between two looks, as a poll of nothing.
        poll(nil, 0, 5)
    }
}

/// A blocking connection to a Unix socket.
func connectRaw(_ path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    guard result == 0 else { throw PosixError.last("connect to \(path)") }
    return descriptor
}

/// A directory that is gone when the test ends, with a path short enough for a socket.
final class Scratch: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/nsd.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw PosixError.last("make a scratch directory") }
        path = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Scratch.remove(path) }

    func file(_ name: String) -> String { path + "/" + name }

    func write(_ name: String, _ text: String) throws {
        try AtomicFile.write(Array(text.utf8), to: file(name), mode: 0o600)
    }

    private static func remove(_ path: String) {
        if let directory = opendir(path) {
            while let entry = readdir(directory) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                guard name != ".", name != ".." else { continue }
                let child = path + "/" + name
                if unlink(child) != 0 { remove(child) }
            }
            closedir(directory)
        }
        rmdir(path)
    }
}
