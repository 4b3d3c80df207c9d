// SPDX-License-Identifier: Apache-2.0
import NavWire

/// The value of a link, with what its static type allowed to capture.
struct LinkTarget {
    let value: any Hashable
    let type: any Hashable.Type
    /// Appends the value through the overload that the link was made with.
    let append: (inout NavTwin.NavigationPath) -> Void

    init<P: Hashable>(_ value: P) {
        self.value = value
        type = P.self
        append = { $0.append(value) }
    }

    init<P: Codable & Hashable>(codable value: P) {
        self.value = value
        type = P.self
        append = { $0.append(value) }
    }
}
