// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The environment variables that the program reads; a test passes its own.
struct Environment: Sendable {
    private let lookUp: @Sendable (String) -> String?

    static let process = Environment { name in getenv(name).map { String(cString: $0) } }

    init(_ lookUp: @escaping @Sendable (String) -> String?) { self.lookUp = lookUp }

    subscript(name: String) -> String? { lookUp(name) }
}
