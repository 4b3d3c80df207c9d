// SPDX-License-Identifier: Apache-2.0

/// What is wrong with the configuration: where, what was found, what is allowed.
struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// "FILE:LINE", or the flag.
    let place: String
    let reason: String

    var description: String { "\(place): \(reason)" }
}
