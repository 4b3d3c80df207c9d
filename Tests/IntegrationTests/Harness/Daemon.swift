// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavClient
import Testing

/// A real navsyncd with a state directory of its own.
final class Daemon {
    let name: String
    let stateDirectory: String
    let socket: String
    let logPath: String
    private let scratch: Scratch
    private var child: ChildProcess?
    private var arguments: [String]
    private let environment: [String: String]
    /// Where it listens for peers, once it was started with a listener.
    private(set) var tcpAddress: String?

    /// Starts a daemon and waits until it answers.
    init(
        _ scratch: Scratch, _ name: String, listens: Bool = false,
        environment: [String: String] = [:], start: Bool = true
    ) throws {
        self.scratch = scratch
        self.name = name
        self.environment = environment.merging(ChildProcess.sanitizerOptions) { own, _ in own }
        stateDirectory = scratch.file(name)
        socket = scratch.file("\(name).sock")
        logPath = scratch.file("\(name).log")
        let config = try scratch.write([], to: "\(name).conf")
        arguments = ["--config", config, "--state-dir", stateDirectory, "--socket", socket]
        arguments += listens ? ["--listen", "tcp:127.0.0.1:0"] : []
        if start { try self.start() }
    }

    // The process must be gone before its folder is removed.
    deinit {
        try? kill()
        // Of a build with a sanitizer; and no input may make any build trap.
        for sign in ["Sanitizer:", "Fatal error", "*** Signal"] where log.contains(sign) {
            Issue.record("\(name) wrote '\(sign)' to its log:\n\(log)")
        }
    }

    var ctl: Ctl { Ctl(socket: socket) }
    var pid: pid_t? { child?.pid }
    var log: String { (try? Files.text(logPath)) ?? "" }

    /// Starts it, with further flags from now on, and waits until it answers.
    func start(adding flags: [String] = []) throws {
        arguments += flags
        try launch()
        let isReady = Wait.until(10) { child?.wait(within: 0) != nil || isAnswering }
        guard isReady, child?.wait(within: 0) == nil else {
            throw HarnessError("\(name) did not become ready; its log:\n\(log)")
        }
        if arguments.contains("--listen") { try keepAddress() }
    }

    /// Starts it without waiting for anything.
    func launch() throws {
        let (arguments, environment, logPath) = (arguments, environment, logPath)
        child = try ChildProcess.exclusively { () throws -> sending ChildProcess in
            let null = open("/dev/null", O_RDWR | O_CLOEXEC)
            let log = open(logPath, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
            defer {
                close(null)
                close(log)
            }
            return try ChildProcess(
                Binaries.navsyncd, arguments, environment: environment, input: null, output: log, diagnostics: log)
        }
    }

    /// Pairs it with `other` as two users do: one makes a link, the other pastes it. This one dials from then on.
    func pair(with other: Daemon, granting here: [String] = ["--all"], and there: [String] = ["--all"]) throws {
        let link = try Ctl.run(["--socket", other.socket, "pair", "--no-wait", "--name", name] + there)
        guard link.status == 0, let line = link.lines.first else { throw HarnessError("no link: \(link.diagnostics)") }
        let paired = try Ctl.run(["--socket", socket, "pair", line, "--name", other.name] + here)
        guard paired.status == 0 else { throw HarnessError("not paired: \(paired.diagnostics)\n\(other.log)") }
    }

    func wait(within seconds: Double) -> Ending? { child?.wait(within: seconds) }

    func signal(_ signal: Int32) { child?.send(signal) }

    /// Kills it as a power cut would, as far as a process can tell.
    func kill() throws { _ = try child?.end(SIGKILL, within: 5) }

    /// Ends it in good order.
    @discardableResult
    func stop(within seconds: Double = 5) throws -> Ending? { try child?.end(SIGTERM, within: seconds) }

    func session(seconds: Int = 10) throws -> ClientSession {
        try ClientSession(to: DaemonAddress(socket), deadline: .after(milliseconds: seconds * 1_000))
    }

    /// Its status as a dictionary.
    func status() throws -> [String: String] {
        let facts = try session().status(deadline: .after(milliseconds: 10_000))
        return Dictionary(facts.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    private var isAnswering: Bool {
        guard let address = try? DaemonAddress(socket) else { return false }
        return (try? ClientSession(to: address, deadline: .after(milliseconds: 1_000))) != nil
    }

    /// Takes the port that was free from the log, and keeps it for later starts, since peers were told it.
    private func keepAddress() throws {
        guard tcpAddress == nil else { return }
        let marker = "address=tcp:127.0.0.1:"
        var port: Substring?
        _ = Wait.until(5) {
            port =
                log.split(separator: "\n").compactMap { line -> Substring? in
                    guard line.contains("msg=listening"), let range = line.firstRange(of: marker) else { return nil }
                    return line[range.upperBound...].prefix { $0.isNumber }
                }.last
            return port != nil
        }
        guard let port, let index = arguments.firstIndex(of: "tcp:127.0.0.1:0") else {
            throw HarnessError("\(name) does not say where it listens; its log:\n\(log)")
        }
        tcpAddress = "tcp:127.0.0.1:\(port)"
        arguments[index] = "tcp:127.0.0.1:\(port)"
    }
}
