// SPDX-License-Identifier: Apache-2.0

/// Everything that lives through one call of a decoder and is kept warm for the next.
@safe
struct DecoderState {
    var scanner = PayloadScanner()
    var keyTypes = TypeTable<KeyType>()
    var valueTypes = TypeTable<ValueType>()
    var directKeys = TypeTable<DirectKeys>()
    var directEpoch: UInt32 = 0
    var userInfo: [CodingUserInfoKey: Any] = [:]
    /// The bytes that the tape refers to. A copy of their own: a decoder that hands out values of any type would have
    /// to keep the caller's array in place by way of a closure for each type, which costs more than the copy.
    private var payload = ByteBuffer(capacity: 4096)
    /// Sets the handles of this call apart from those of earlier ones.
    private(set) var session: UInt32 = 0
    /// Items of unkeyed containers that did not decode as some type.
    private var failures: [Failure] = []

    private struct Failure: Equatable {
        let entry: Int32
        let type: ObjectIdentifier
    }

    private static let maximumFailures = 256

    /// Checks an envelope and all that is in it.
    mutating func open(
        _ envelope: [UInt8], limits: NavWireLimits, dictionary: NavWireDictionary?
    ) throws(NavWireError) {
        session &+= 1
        unsafe try envelope.withBytes { bytes throws(NavWireError) in
            unsafe try EnvelopeReader.read(bytes, limits: limits, dictionary: dictionary, into: &payload)
        }
        unsafe try scanner.scan(payload.bytes, limits: limits)
    }

    /// Checks a payload that has no envelope.
    mutating func open(payload bytes: [UInt8], limits: NavWireLimits) throws(NavWireError) {
        session &+= 1
        payload.removeAll()
        unsafe bytes.withUnsafeBytes { unsafe payload.append($0) }
        unsafe try scanner.scan(payload.bytes, limits: limits)
    }

    mutating func end() {
        session &+= 1
        if !userInfo.isEmpty { userInfo = [:] }
        payload.trim(to: 1 << 18)
        if !failures.isEmpty { failures.removeAll() }
    }

    /// The oldest are forgotten first: a loop meets the newest. The first failure of a container at an entry takes the
    /// place of what earlier containers met there.
    mutating func noteFailure(_ entry: Int32, _ type: Any.Type, isFirst: Bool) {
        if isFirst { failures.removeAll { $0.entry == entry } }
        failures.append(Failure(entry: entry, type: ObjectIdentifier(type)))
        if failures.count > Self.maximumFailures { failures.removeFirst(Self.maximumFailures / 2) }
    }

    func hasFailed(_ entry: Int32, _ type: Any.Type) -> Bool {
        failures.contains(Failure(entry: entry, type: ObjectIdentifier(type)))
    }

    /// The keys and indices on the way from the root to an entry.
    func codingPath(to entry: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var container = 0
        let tape = scanner.tape
        while container < entry {
            let kind = unsafe tape.entries[container].kind
            if kind == .imported {
                container += 1
                continue
            }
            guard kind.isContainer, unsafe entry < tape.entries[container].end else { break }
            let (place, key) = step(from: container, to: entry)
            path.append(key)
            container = place
        }
        return path
    }

    /// The item of a container in which an entry is, and its key.
    private func step(from container: Int, to entry: Int) -> (place: Int, key: any CodingKey) {
        let kind = unsafe scanner.tape.entries[container].kind
        var offset = 0
        var place = container + 1
        while scanner.tape.next(after: place) <= entry {
            place = scanner.tape.next(after: place)
            offset += 1
        }
        switch kind {
        case .object:
            let shape = unsafe scanner.documentShapes[scanner.tape.entries[container].shape]
            let key = scanner.shapeKeys[Int(shape.firstKey) + offset]
            return (place, WireKey(stringValue: scanner.keys.string(of: Int(key))))
        case .map where offset & 1 == 1:
            return unsafe (place, WireKey(stringValue: scanner.string(scanner.tape.entries[place - 1])))
        default: return (place, WireKey(index: offset))
        }
    }
}
