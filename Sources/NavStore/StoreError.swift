// SPDX-License-Identifier: Apache-2.0

/// Why a store could not be opened.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        /// Another process holds the state directory.
        case locked
        /// A newer program wrote this store.
        case newerSchema
        /// Bytes on disk do not verify.
        case damaged
        /// The file system refused.
        case system
    }

    package let code: Code
    package let reason: String

    package init(code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }

    package var description: String { "\(code.rawValue): \(reason)" }

    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
