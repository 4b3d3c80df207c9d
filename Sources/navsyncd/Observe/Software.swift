// SPDX-License-Identifier: Apache-2.0

/// What this program calls itself.
enum Software {
    static let version = "0.1.0"
    /// To peers.
    static let name = "navsync \(version)"
}
