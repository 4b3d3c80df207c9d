// SPDX-License-Identifier: Apache-2.0

/// What a session stands in a queue for.
enum SessionQueueKind: Int, CaseIterable, Sendable {
    /// It has something to say in this round.
    case speaking
    /// Its subscriptions may have something to send.
    case wantingChanges
    /// Whole frames wait in its cutter until something else has moved on.
    case stalled
    /// More was read than the peer or the user may send: nothing is read until it is paid for.
    case throttled
    /// It has a subscription.
    case subscribed
}

/// Sessions in the order in which they came, each once.
struct SessionQueue: Sendable {
    private(set) var places: [SessionPlace] = []
    /// By the place's number.
    private var isMember: [Bool] = []

    init() {}

    var isEmpty: Bool { places.isEmpty }
    var count: Int { places.count }

    func contains(_ place: SessionPlace) -> Bool { place.rawValue < isMember.count && isMember[place.rawValue] }

    mutating func insert(_ place: SessionPlace) {
        guard !contains(place) else { return }
        while isMember.count <= place.rawValue { isMember.append(false) }
        isMember[place.rawValue] = true
        places.append(place)
    }

    mutating func remove(_ place: SessionPlace) {
        guard contains(place) else { return }
        isMember[place.rawValue] = false
        places.removeAll { $0 == place }
    }

    /// Takes out all of them, in their order.
    mutating func removeAll() -> [SessionPlace] {
        for place in places { isMember[place.rawValue] = false }
        let taken = places
        places = []
        // The next round has about as many.
        places.reserveCapacity(taken.count)
        return taken
    }
}
