// SPDX-License-Identifier: Apache-2.0

/// What all programs of this package call themselves.
package enum Software {
    /// The one place that says it; the list of changes and the manual pages repeat it.
    package static let version = "0.1.0"
    /// Of the daemon, to peers.
    package static let daemon = "navsync \(version)"
    /// Of a program that talks to its daemon.
    package static let client = "navclient/\(version)"
}
