// SPDX-License-Identifier: Apache-2.0

/// The keys of a keyed value, which are then named by their place; or other strings that a type knows, such as tags and
/// raw values.
///
/// Meant to be a `static let` of the type: coders remember what they found out about these keys, and know them again by
/// their identity. Keys that are made anew for each value work, but each costs as much as the first, and memory until the
/// call ends.
public final class NavWireKeys: Sendable {
    let names: [String]
    let count: Int

    public init(_ names: String...) {
        self.names = names
        count = names.count
    }
}
