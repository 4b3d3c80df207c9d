// SPDX-License-Identifier: Apache-2.0

/// A session's place in the table, while it lives; another may have it afterwards. Only the table makes places.
struct SessionPlace: Hashable, Sendable {
    let rawValue: Int

    fileprivate init(rawValue: Int) { self.rawValue = rawValue }
}

/// A session's place and name: tells whether the place still belongs to it.
struct SessionHandle: Hashable, Sendable {
    let place: SessionPlace
    let id: SessionID
}

/// All sessions, each at a place that does not change while it lives, and the queues that they stand in.
struct SessionTable: Sendable {
    private var sessions: [Session?] = []
    private var free: [SessionPlace] = []
    private var placeOfID: [SessionID: SessionPlace] = [:]
    /// One for each kind; in place, because every answer puts its session into one.
    private var queues = InlineArray<5, SessionQueue>(repeating: SessionQueue())

    init() {}

    var count: Int { placeOfID.count }

    /// All places, those that nobody has among them.
    var places: some Swift.Sequence<SessionPlace> { sessions.indices.lazy.map(SessionPlace.init) }

    func place(of id: SessionID) -> SessionPlace? { placeOfID[id] }

    func isOpen(_ handle: SessionHandle) -> Bool {
        sessions[handle.place.rawValue]?.id == handle.id
    }

    /// The session at a place that is in use.
    subscript(place: SessionPlace) -> Session {
        get {
            guard let session = sessions[place.rawValue] else { preconditionFailure("no session at \(place)") }
            return session
        }
        _modify {
            // In place: a copy of the buffers would be made for each byte that is appended.
            guard sessions[place.rawValue] != nil else { preconditionFailure("no session at \(place)") }
            yield &sessions[place.rawValue]!
        }
    }

    /// A queue. Whoever is in one lives: a session that ends leaves all of them.
    subscript(kind: SessionQueueKind) -> SessionQueue {
        get { queues[kind.rawValue] }
        _modify { yield &queues[kind.rawValue] }
    }

    func isInUse(_ place: SessionPlace) -> Bool { sessions[place.rawValue] != nil }

    mutating func insert(_ session: Session) -> SessionPlace {
        let place: SessionPlace
        if let reused = free.popLast() {
            place = reused
            sessions[place.rawValue] = session
        } else {
            place = SessionPlace(rawValue: sessions.count)
            sessions.append(session)
        }
        placeOfID[session.id] = place
        return place
    }

    mutating func remove(_ place: SessionPlace) -> Session {
        let session = self[place]
        sessions[place.rawValue] = nil
        placeOfID[session.id] = nil
        for kind in SessionQueueKind.allCases { self[kind].remove(place) }
        free.append(place)
        return session
    }
}
