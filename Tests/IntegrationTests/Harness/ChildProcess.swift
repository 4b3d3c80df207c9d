// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization

/// A failure of the harness itself, as a sentence.
struct HarnessError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// A real process: started, talked to over its descriptors, ended by its id and waited for.
final class ChildProcess {
    let pid: pid_t
    private var status: Int32?

    /// One at a time: a pipe that another child inherits by accident never ends.
    private static let spawning = Mutex(())

    /// Starts `path`. Descriptors not named here are closed in the child (all of ours are close-on-exec).
    init(
        _ path: String, _ arguments: [String], environment: [String: String], input: Int32, output: Int32,
        diagnostics: Int32
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (child, own) in [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, diagnostics)] {
            posix_spawn_file_actions_adddup2(&actions, own, child)
        }
        var argv = ([path] + arguments).map { strdup($0) }
        argv.append(nil)
        var envp = environment.map { strdup("\($0)=\($1)") }
        envp.append(nil)
        defer { for text in argv + envp { free(text) } }
        var pid = pid_t()
        let code = posix_spawn(&pid, path, &actions, nil, argv, envp)
        guard code == 0 else { throw HarnessError("cannot start \(path): \(String(cString: strerror(code)))") }
        self.pid = pid
    }

    deinit { if status == nil { _ = try? end(SIGKILL, within: 5) } }

    /// What a build with a sanitizer is told by our own environment.
    static let sanitizerOptions: [String: String] = {
        let names = ["TSAN_OPTIONS", "ASAN_OPTIONS", "UBSAN_OPTIONS", "SWIFT_BACKTRACE"]
        let values = names.map { name in (name, getenv(name).map { String(cString: $0) }) }
        return Dictionary(uniqueKeysWithValues: values.compactMap { name, value in value.map { (name, $0) } })
    }()

    static func exclusively<Result>(_ body: () throws -> sending Result) rethrows -> sending Result {
        try spawning.withLock { _ in try body() }
    }

    func send(_ signal: Int32) { if status == nil { kill(pid, signal) } }

    /// How it ended, waiting for that; nil when it is still running after `seconds`.
    func wait(within seconds: Double) -> Ending? {
        if let status { return Ending(status) }
        let ended = Wait.until(seconds) {
            var status: Int32 = 0
            guard waitpid(self.pid, &status, WNOHANG) == self.pid else { return false }
            self.status = status
            return true
        }
        return ended ? status.map(Ending.init) : nil
    }

    @discardableResult
    func end(_ signal: Int32, within seconds: Double) throws -> Ending {
        send(signal)
        guard let ending = wait(within: seconds) else {
            kill(pid, SIGKILL)
            throw HarnessError("process \(pid) did not end within \(seconds) s of signal \(signal)")
        }
        return ending
    }
}

/// How a process ended.
enum Ending: Equatable {
    case exited(Int32)
    case killed(Int32)

    init(_ status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal)
    }
}

/// Waits for conditions, never for time alone.
enum Wait {
    /// Whether `condition` became true within `seconds`.
    static func until(_ seconds: Double, _ condition: () throws -> Bool) rethrows -> Bool {
        let end = now() + seconds
        while true {
            if try condition() { return true }
            if now() >= end { return false }
            // The shortest rest that lets the processes under test run.
            poll(nil, 0, 1)
        }
    }

    /// Seconds on the monotonic clock.
    static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
