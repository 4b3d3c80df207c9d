// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavPosix

/// The daemon's log: lines of `key=value` on stderr. The only place that writes them.
///
/// For the journal a line begins with its priority and has no time, since the journal adds its own.
final class Log {
    var level: LogLevel
    private let isJournal: Bool
    private let write: (String) -> Void
    private let monotonicNanoseconds: () -> UInt64
    private var limits: [LogMessage: RateLimit] = [:]

    init(
        level: LogLevel, isJournal: Bool,
        monotonicNanoseconds: @escaping () -> UInt64 = SystemClock.monotonicNanoseconds,
        write: @escaping (String) -> Void
    ) {
        self.level = level
        self.isJournal = isJournal
        self.monotonicNanoseconds = monotonicNanoseconds
        self.write = write
    }

    /// The log of this process, on stderr.
    static func standardError(level: LogLevel) -> Log {
        let stream = getenv("JOURNAL_STREAM").map { String(cString: $0) }
        return Log(level: level, isJournal: JournalStream.isConnected(to: 2, environment: stream)) { line in
            // A reader that has gone is no reason to stop; one that is slow holds us up, as with every log.
            _ = line.withCString { Glibc.write(2, $0, strlen($0)) }
        }
    }

    /// Writes one line if the level allows it and there were not too many of its kind.
    func callAsFunction(_ level: LogLevel, _ message: LogMessage, _ fields: (LogKey, Any)...) {
        guard level <= self.level else { return }
        var suppressed = 0
        // Who asks for debug lines wants them all.
        if level < .debug {
            let verdict = limits[message, default: RateLimit()].take(at: monotonicNanoseconds())
            guard case .allowed(let count) = verdict else { return }
            suppressed = count
        }
        var line = LogLine()
        if !isJournal {
            line.add(.time, timestamp())
            line.add(.level, level.rawValue)
        }
        line.add(.message, message.rawValue)
        for (key, value) in fields { line.add(key, "\(value)") }
        if suppressed > 0 { line.add(.suppressed, suppressed) }
        write((isJournal ? "<\(level.priority)>" : "") + line.text + "\n")
    }

    private func timestamp() -> String {
        let milliseconds = SystemClock.wallMilliseconds()
        var seconds = time_t(clamping: milliseconds / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
            + "T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)).\(fraction)Z"
    }
}
