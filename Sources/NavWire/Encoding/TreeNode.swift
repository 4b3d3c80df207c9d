// SPDX-License-Identifier: Apache-2.0

/// One value of a `TreeEncoding`, which grows where it stands: adding to it copies nothing of what it holds.
final class TreeNode {
    enum Kind {
        /// Nothing yet; in the end an empty object.
        case empty
        case leaf
        case object, map
        case array, pairs, set

        /// The kind of a container on a tape; nil for everything else.
        init?(_ kind: TapeEntry.Kind) {
            switch kind {
            case .object: self = .object
            case .map: self = .map
            case .array: self = .array
            case .pairs: self = .pairs
            case .set: self = .set
            default: return nil
            }
        }
    }

    var kind = Kind.empty
    private(set) weak var parent: TreeNode?
    let key: WireKey
    /// How many containers are around it.
    let depth: Int
    private var leaf = NativeNode.null
    private(set) var items: [TreeNode] = []
    /// In the order of their first calls; nil where one was taken back.
    private var members: [TreeNode?] = []
    /// The places of the members by their keys.
    private var places: [ExactKey: Int] = [:]
    /// What had the same key before, the first first.
    private var replaced: [TreeNode] = []
    /// Its content, once it was compared with a twin's.
    private var compared: NativeNode?
    /// Which of the dictionaries that wrote themselves to the container around has written it; 0 when none has.
    private var dictionary: UInt32 = 0
    /// How many dictionaries have written themselves here.
    private var dictionaryCount: UInt32 = 0

    /// A key by its bytes: `String` takes some keys for equal that are not the same.
    private struct ExactKey: Hashable {
        let text: String

        static func == (lhs: Self, rhs: Self) -> Bool { lhs.text.utf8.elementsEqual(rhs.text.utf8) }

        func hash(into hasher: inout Hasher) {
            var text = text
            text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    init(parent: TreeNode?, key: WireKey) {
        self.parent = parent
        self.key = key
        depth = parent.map { $0.depth + 1 } ?? 0
    }

    var isKeyed: Bool { kind == .object || kind == .map }

    /// Makes it an empty container in the place of what it was.
    func become(_ kind: Kind) {
        self.kind = kind
        leaf = .null
        items = []
        members = []
        places = [:]
    }

    func become(_ content: NativeNode) {
        become(.leaf)
        leaf = content
    }

    /// Whether it is a container of that kind, `object` or `array`, which more can be written to. To JSON maps are objects
    /// too, and sets and pairs arrays.
    func canGoOn(as kind: Kind) -> Bool {
        switch (self.kind, leaf) {
        case (.empty, _), (.object, _), (.map, _), (.leaf, .object), (.leaf, .map): kind == .object
        case (.array, _), (.pairs, _), (.set, _), (.leaf, .array), (.leaf, .pairs), (.leaf, .set): kind == .array
        case (.leaf, _): false
        }
    }

    /// Becomes a container of that kind: what it was if that can go on, or else an empty one.
    func goOn(as kind: Kind) {
        guard canGoOn(as: kind) else { return become(kind) }
        if self.kind == .leaf { unfold() }
        if self.kind != .map { self.kind = kind }
    }

    /// Takes a container apart that was written as a whole.
    private func unfold() {
        switch leaf {
        case .object(let content): unfold(content, as: .object)
        case .map(let content): unfold(content, as: .map)
        case .array(let content), .pairs(let content), .set(let content):
            become(.array)
            for item in content { addItem().become(item) }
        default: break
        }
    }

    private func unfold(_ content: [NativeNode.Member], as kind: Kind) {
        become(kind)
        for member in content { addMember(member.key).become(member.value) }
    }

    /// Says that a dictionary begins to write itself here.
    func beginDictionary() {
        kind = .map
        dictionaryCount += 1
    }

    /// A member under a key: in the place of the one that has the key already, or last. It may be one of the dictionary
    /// that began last.
    func addMember(_ key: String, inDictionary: Bool = false) -> TreeNode {
        if !isKeyed { goOn(as: .object) }
        let member = TreeNode(parent: self, key: WireKey(stringValue: key))
        if inDictionary { member.dictionary = dictionaryCount }
        let exact = ExactKey(text: key)
        if let place = places[exact] {
            if let head = members[place] { member.replace(head) }
            members[place] = member
        } else {
            places[exact] = members.count
            members.append(member)
        }
        return member
    }

    func addItem() -> TreeNode {
        let item = TreeNode(parent: self, key: WireKey(index: items.count))
        items.append(item)
        return item
    }

    /// The same where what is there may be no array.
    func appendItem() -> TreeNode {
        goOn(as: .array)
        return addItem()
    }

    /// What a key has.
    func member(_ key: String) -> TreeNode? { places[ExactKey(text: key)].flatMap { members[$0] } }

    /// Takes the place of what had its key. Of two twins only the one that counts is kept.
    private func replace(_ head: TreeNode) {
        replaced = head.replaced
        head.replaced = []
        if head.isTwin(of: replaced.last), let other = replaced.popLast() {
            replaced.append(NativeNode.precedes(other.contentToCompare(), head.contentToCompare()) ? other : head)
        } else {
            replaced.append(head)
        }
    }

    /// Takes back the member that a key was given for the `time`th time.
    func removeMember(_ key: String, time: Int) {
        guard let place = places[ExactKey(text: key)], let head = members[place] else { return }
        removeMember(time <= head.replaced.count ? head.replaced[time - 1] : head)
    }

    /// Takes back an item, or the member that was the one with that number when it was added.
    func remove(at place: Int) {
        if isKeyed {
            if place < members.count, let member = members[place] { removeMember(member) }
        } else if place < items.count {
            items.remove(at: place)
        }
    }

    /// Takes back a member or an item; what a member took the place of is there again.
    func remove(_ child: TreeNode) {
        if isKeyed {
            removeMember(child)
        } else if let place = items.lastIndex(where: { $0 === child }) {
            items.remove(at: place)
        }
    }

    private func removeMember(_ member: TreeNode) {
        let key = ExactKey(text: member.key.stringValue)
        guard let place = places[key], let head = members[place] else { return }
        guard head === member else { return head.replaced.removeAll { $0 === member } }
        let last = head.replaced.popLast()
        last?.replaced = head.replaced
        head.replaced = []
        members[place] = last
        if last == nil { places[key] = nil }
    }

    var address: UInt {
        isKeyed
            ? unsafe members.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
            : unsafe items.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    }

    /// The finished value.
    var native: NativeNode {
        switch kind {
        case .empty: .object([])
        case .leaf: leaf
        case .object: .object(nativeMembers)
        case .map: .map(nativeMembers)
        case .array: .array(items.map(\.native))
        case .pairs: .pairs(items.map(\.native))
        case .set: .set(items.map(\.native))
        }
    }

    private var nativeMembers: [NativeNode.Member] {
        members.compactMap { member in
            member.map { .init(key: $0.key.stringValue, value: settledContent($0)) }
        }
    }

    /// The content of the member that counts. Of two with one key it is the later one, but of two in one dictionary, where
    /// chance puts one of them last, the one whose value comes first. Each content is made once: made twice at each level
    /// it would be made without end.
    private func settledContent(_ member: TreeNode) -> NativeNode {
        let content = member.native
        guard member.isTwin(of: member.replaced.last), let other = member.replaced.last?.native else { return content }
        return NativeNode.precedes(other.ordered, content.ordered) ? other : content
    }

    /// Made once, however many twins there are.
    private func contentToCompare() -> NativeNode {
        let content = compared ?? native.ordered
        compared = content
        return content
    }

    /// Whether both are of one dictionary.
    private func isTwin(of other: TreeNode?) -> Bool { dictionary > 0 && dictionary == other?.dictionary }
}
