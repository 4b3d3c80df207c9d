// SPDX-License-Identifier: Apache-2.0

/// A system call that failed: what was being done, to what, and why.
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

    package var description: String { "\(operation): errno \(errno)" + (hint.map { "; \($0)" } ?? "") }
}
