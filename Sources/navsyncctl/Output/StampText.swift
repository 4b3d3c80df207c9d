// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavClient

/// A stamp as people and programs read it.
enum StampText {
    /// UTC, to the millisecond: 2026-01-31T08:15:00.250Z.
    static func time(_ milliseconds: UInt64) -> String {
        var seconds = time_t(milliseconds / 1_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let date = "\(padded(parts.tm_year + 1900, 4))-\(padded(parts.tm_mon + 1, 2))-\(padded(parts.tm_mday, 2))"
        let clock = "\(padded(parts.tm_hour, 2)):\(padded(parts.tm_min, 2)):\(padded(parts.tm_sec, 2))"
        return "\(date)T\(clock).\(padded(Int32(milliseconds % 1_000), 3))Z"
    }

    static func fields(_ stamp: StackStamp) -> [(String, JSONText.Value)] {
        [
            ("stamp", .text(stamp.description)), ("time", .text(time(stamp.milliseconds))),
            ("origin", .text(stamp.origin)),
        ]
    }

    private static func padded(_ number: Int32, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
