// SPDX-License-Identifier: Apache-2.0

/// Everything that lives through one call of a decoder and is kept warm for the next.
@safe
struct DecoderState {
    var scanner = PayloadScanner()
    var keyTypes = TypeTable<KeyType>()
    /// Whether a key type has more containers than it keeps.
    var boxesAreMany = false
    var valueTypes = TypeTable<DecodedType>()
    var directKeys = TypeTable<DirectKeys>()
    var directEpoch: UInt32 = 0
    var userInfo: [CodingUserInfoKey: Any] = [:]
    /// The bytes that the tape refers to. A copy of their own: a decoder that hands out values of any type would have
    /// to keep the caller's array in place by way of a closure for each type, which costs more than the copy.
    private var payload = ByteBuffer(capacity: 4096)
    /// Sets the handles of this call apart from those of earlier ones.
    private(set) var session: UInt32 = 0
    var tries = Tries()
    /// Keys that had no value when a decoder for it was asked for, each with the entry of its container.
    private var missing: [(number: Int, container: Int, key: any CodingKey)] = []
    private var missingCount = 0
    /// Each takes the place of the one so many before it, whose path is empty then.
    private static let maximumMissing = 1024
    var members = MemberIndex()
    /// Long keys of paths that were asked for: of objects by the complement of their number, of maps by their entry.
    private var longKeys: [Int: WireKey] = [:]
    /// The steps of the path that was asked for last.
    private var lastPath: [Step] = []

    /// Checks a payload, which `fill` puts into the buffer.
    @inline(__always)
    mutating func open(
        limits: NavWireLimits, _ fill: (inout ByteBuffer) throws(NavWireError) -> Void
    ) throws(NavWireError) {
        session &+= 1
        try fill(&payload)
        unsafe try scanner.scan(payload.bytes, limits: limits)
    }

    /// Checks a payload that has no envelope.
    mutating func open(payload bytes: [UInt8], limits: NavWireLimits) throws(NavWireError) {
        try open(limits: limits) { payload in
            payload.removeAll()
            unsafe bytes.withUnsafeBytes { unsafe payload.append($0) }
        }
    }

    mutating func end() {
        session &+= 1
        if !userInfo.isEmpty { userInfo = [:] }
        payload.trim(to: 1 << 18)
        scanner.end()
        if !tries.isEmpty { tries.removeAll() }
        if !longKeys.isEmpty { longKeys.removeAll() }
        if boxesAreMany {
            unsafe keyTypes.forEach { unsafe $0.pointee.trim() }
            boxesAreMany = false
        }
        if !missing.isEmpty {
            missing.removeAll()
            missingCount = 0
        }
        if !lastPath.isEmpty { lastPath.removeAll() }
        if members.isUsed { members.removeAll() }
        directKeys.trim()
    }

    /// What stands for the entry that a key of a container does not have: a number below zero by which its path is found.
    mutating func missingEntry(_ key: some CodingKey, in container: Int) -> Int32 {
        missingCount = missingCount < Int(Int32.max) - 1 ? missingCount + 1 : 1
        let place = missingCount % Self.maximumMissing
        if place < missing.count {
            missing[place] = (missingCount, container, key)
        } else {
            while missing.count < place { missing.append((0, container, key)) }
            missing.append((missingCount, container, key))
        }
        return -1 - Int32(truncatingIfNeeded: missingCount)
    }

    /// The path to what `missingEntry` gave out.
    mutating func codingPath(toMissing entry: Int32) -> [any CodingKey] {
        let number = -1 - Int(entry)
        guard number > 0, missing.indices.contains(number % Self.maximumMissing) else { return [] }
        let known = missing[number % Self.maximumMissing]
        return known.number == number ? codingPath(to: known.container) + [known.key] : []
    }

    /// The keys and indices on the way from the root to an entry.
    mutating func codingPath(to entry: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var container = 0
        while container < entry {
            let kind = unsafe scanner.tape.entries[container].kind
            if kind == .imported {
                container += 1
                continue
            }
            guard kind.isContainer, unsafe entry < scanner.tape.entries[container].end else { break }
            let step = step(path.count, from: container, to: entry)
            path.append(step.key)
            container = step.place
        }
        return path
    }

    /// An item of a container, and its key.
    private struct Step {
        let container: Int
        var place: Int
        var offset = 0
        var key: any CodingKey = WireKey.super
    }

    /// The item of a container in which an entry is. The one that was found last at this level is kept, since its key may
    /// be long.
    private mutating func step(_ level: Int, from container: Int, to entry: Int) -> Step {
        if level < lastPath.count, lastPath[level].container == container, lastPath[level].place <= entry,
            scanner.tape.next(after: lastPath[level].place) > entry
        {
            return lastPath[level]
        }
        var step = Step(container: container, place: container + 1)
        (step.offset, step.place) = item(of: container, around: entry)
        step.key = key(of: step)
        if level < lastPath.count { lastPath[level] = step } else { lastPath.append(step) }
        return step
    }

    /// The item of a container in which an entry is.
    mutating func item(of container: Int, around entry: Int) -> (offset: Int, place: Int) {
        if unsafe scanner.tape.entries[container].length > MemberIndex.smallCount {
            let found = unsafe withUnsafePointer(to: scanner) { unsafe members.item(of: container, around: entry, $0) }
            return (found.offset, found.entry)
        }
        var (offset, place) = (0, container + 1)
        while scanner.tape.next(after: place) <= entry {
            place = scanner.tape.next(after: place)
            offset += 1
        }
        return (offset, place)
    }

    private mutating func key(of step: Step) -> WireKey {
        let container = unsafe scanner.tape.entries[step.container]
        switch container.kind {
        case .object:
            let key = scanner.shapeKeys[Int(scanner.documentShapes[container.shape].firstKey) + step.offset]
            return longKeys[~Int(key)] ?? remember(scanner.keys.string(of: Int(key)), ~Int(key))
        case .map where step.offset & 1 == 1:
            let place = step.place - 1
            return longKeys[place] ?? remember(unsafe scanner.string(scanner.tape.entries[place]), place)
        default: return WireKey(index: step.offset)
        }
    }

    /// Long keys are made once: errors below them may be many.
    private mutating func remember(_ text: String, _ number: Int) -> WireKey {
        let key = WireKey(stringValue: text)
        if text.utf8.count > 256 { longKeys[number] = key }
        return key
    }
}
