// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Glibc

/// Why a store could not be opened.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        /// Another process holds the state directory.
        case locked
        /// A newer program wrote this store.
        case newerSchema
        /// A store was made here and is no longer there.
        case missing
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

extension StoreError {
    @inline(never)
    static func system(_ doing: String, _ error: Int32) -> Self {
        Self(code: .system, reason: "\(doing): \(String(cString: strerror(error)))")
    }

    @inline(never)
    static func sqlite(_ failure: SQLiteFailure) -> Self {
        let code: Code =
            failure.isDamageAtOpen ? .damaged : failure.primaryCode == SQLITE_BUSY ? .locked : .system
        return Self(code: code, reason: failure.description)
    }

    @inline(never)
    static func newerSchema(_ found: Int64) -> Self {
        Self(code: .newerSchema, reason: "the store has schema \(found), this program knows \(Schema.version)")
    }

    @inline(never)
    static func missing(_ path: String, marker: String) -> Self {
        Self(
            code: .missing,
            reason: "store missing: \(marker) says that a store was made here, but \(path) is not there or empty;"
                + " put it back, or remove the marker to begin an empty one")
    }
}
