// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A system call that failed: what was being done, to what, and why.
///
/// Only `errno` and `operation` say what happened; two errors that differ in their hint are two values.
package struct PosixError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The errno value.
    package let errno: Int32
    /// What was being done, as a phrase: "bind /run/navsync/navsyncd.sock".
    package let operation: String
    /// What to do next; nil when the errno says it all.
    package let hint: String?

    package init(errno: Int32, operation: String, hint: String? = nil) {
        self.errno = errno
        self.operation = operation
        self.hint = hint
    }

    /// The error that the last failed call of this thread left behind. Call it before anything else can fail.
    package static func last(_ operation: String, hint: String? = nil) -> PosixError {
        PosixError(errno: Glibc.errno, operation: operation, hint: hint)
    }

    /// "bind /run/x.sock: permission denied", and the hint after a semicolon.
    package var description: String { "\(operation): \(reason)" + (hint.map { "; \($0)" } ?? "") }

    /// The system's words for the errno, in lower case as the rest of a message is.
    package var reason: String { Self.text(of: errno) }

    /// The system's words for an errno value.
    package static func text(of errno: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        guard strerror_r(errno, &buffer, buffer.count) == 0 else { return "errno \(errno)" }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let text = String(decoding: bytes, as: UTF8.self)
        // "Permission denied" reads as a clause; "RPC ..." or "I/O ..." must stay as it is.
        guard let first = text.first, text.dropFirst().first?.isLowercase == true else { return text }
        return first.lowercased() + text.dropFirst()
    }
}

/// Repeats a call while a signal interrupts it.
@inline(__always)
func retryingInterrupts<Value: SignedInteger>(_ call: () -> Value) -> Value {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
