// SPDX-License-Identifier: Apache-2.0

/// A session's place in the table, while it lives; another may have it afterwards. Only the table makes places.
struct SessionPlace: Hashable, Sendable {
    fileprivate let rawValue: Int

    fileprivate init(rawValue: Int) { self.rawValue = rawValue }
}

/// A session's place and name: tells whether the place still belongs to it.
struct SessionHandle: Hashable, Sendable {
    let place: SessionPlace
    let id: SessionID
}

/// All sessions, each at a place that does not change while it lives.
struct SessionTable: Sendable {
    private var sessions: [Session?] = []
    private var free: [SessionPlace] = []
    private var placeOfID: [SessionID: SessionPlace] = [:]

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
        free.append(place)
        return session
    }
}
