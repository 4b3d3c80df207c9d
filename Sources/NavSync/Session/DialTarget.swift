// SPDX-License-Identifier: Apache-2.0

/// The place of a peer to dial: those of the configuration first, from 0 on in their order, then those that were added.
/// No other ever gets it.
package struct TargetPlace: Hashable, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }
}

/// A peer that we dial.
struct DialTarget: Sendable {
    enum State: Hashable, Sendable {
        /// The next dial is due then.
        case waiting(until: UInt64)
        case dialling
        case connected(SessionID)
        /// The peer has a link that it dialled itself.
        case linked
        /// It is dialled no more.
        case removed
    }

    let label: String
    var state: State
    /// Who answered there last.
    var node: NodeID?
    var backOff = BackOff()
    var lastError: String?

    init(label: String) {
        self.label = label
        state = .waiting(until: 0)
    }
}

/// All peers that we dial or dialled, each at its place.
struct DialTargets: Sendable {
    private var targets: [DialTarget] = []

    init() {}

    var places: some Swift.Sequence<TargetPlace> { targets.indices.lazy.map { TargetPlace(rawValue: $0) } }

    func contains(_ place: TargetPlace) -> Bool { targets.indices.contains(place.rawValue) }

    subscript(place: TargetPlace) -> DialTarget {
        get { targets[place.rawValue] }
        _modify { yield &targets[place.rawValue] }
    }

    @discardableResult mutating func append(_ target: DialTarget) -> TargetPlace {
        targets.append(target)
        return TargetPlace(rawValue: targets.count - 1)
    }
}
