// SPDX-License-Identifier: Apache-2.0

/// A read-only view of a path's elements, root-most first. Looking changes nothing.
public struct PathInspection: RandomAccessCollection {
    /// One element as it can be shown.
    public struct Step: CustomStringConvertible {
        public let index: Int
        public let tag: String
        /// The value, when its type is known and no rule hides it.
        public let value: (any Hashable)?
        /// The plain element, when the value can be encoded and no rule hides it.
        public let element: PathElement?
        /// Whether the element can be saved.
        public let isCodable: Bool
        /// Whether the element still waits for its type.
        public let isUnresolved: Bool
        /// Whether a redaction rule hides the value.
        public let isRedacted: Bool
        /// What is unusual about the element.
        public var oddity: ElementOddity? { element?.oddity }

        /// Tag and value on one line; the tag alone when the value is hidden.
        public var description: String {
            if isRedacted { return "\(tag) (redacted)" }
            guard let element, let item = try? element.value.item(at: index) else { return tag }
            return "\(tag) \(item)"
        }
    }

    private let steps: [Step]

    init(_ path: NavTwin.NavigationPath, using registry: RouteRegistry) {
        steps = path.boxes.enumerated().map { index, box in
            let known = box.pending.map { registry.route(of: $0.tag) } ?? box.type.map { registry.route(of: $0) } ?? nil
            let isRedacted = known.map { $0.redaction != .none } ?? false
            let element = try? registry.element(of: box, at: index, limits: .held)
            return Step(
                index: index, tag: known?.tag ?? box.tag, value: isRedacted ? nil : box.value,
                element: isRedacted ? nil : element, isCodable: box.isCodable, isUnresolved: box.pending != nil,
                isRedacted: isRedacted)
        }
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { steps.count }
    public subscript(position: Int) -> Step { steps[position] }
}

extension NavTwin.NavigationPath {
    /// The value of an element; nil when its type is not known yet, or when there is no such element.
    public func value(at index: Int) -> (any Hashable)? { boxes.indices.contains(index) ? boxes[index].value : nil }

    /// The static type under which an element was appended; nil when it is not known yet.
    public func valueType(at index: Int) -> (any Hashable.Type)? {
        boxes.indices.contains(index) ? boxes[index].type : nil
    }

    /// The tag of an element; nil when there is no such element.
    public func tag(at index: Int) -> String? { boxes.indices.contains(index) ? boxes[index].tag : nil }

    /// The elements, root-most first, as they can be shown. The registry gives names and says what to hide.
    public func inspection(using registry: RouteRegistry = .standard) -> PathInspection {
        PathInspection(self, using: registry)
    }

    /// Whether both paths hold the same tags and the same JSON values, whether or not their types are known.
    ///
    /// This compares a path with its saved form, which `==` calls different. Sets, and dictionaries that JSON has as arrays,
    /// are equal in any order. False when an element cannot be encoded.
    public func isEquivalent(to other: Self, using registry: RouteRegistry = .standard) -> Bool {
        count == other.count
            && boxes.indices.allSatisfy { index in
                guard let mine = try? registry.element(of: boxes[index], at: index, redacts: false, limits: .held),
                    let others = try? registry.element(of: other.boxes[index], at: index, redacts: false, limits: .held)
                else { return false }
                return registry.isSameTag(mine.tag, others.tag) && mine.value.isEquivalent(to: others.value)
            }
    }

    /// Removes `k` values from the end if there are so many, and says whether it did.
    public mutating func tryRemoveLast(_ k: Int = 1) -> Bool {
        guard 0...count ~= k else { return false }
        removeLast(k)
        return true
    }

    /// Puts a value that can be saved in the place of another.
    public mutating func replace<V: Codable & Hashable>(at index: Int, with value: V) throws(NavWireError) {
        try replace(checking: index, with: CodableBox(value))
    }

    /// Puts a value that cannot be saved in the place of another.
    public mutating func replace<V: Hashable>(at index: Int, with value: V) throws(NavWireError) {
        try replace(checking: index, with: ValueBox(value))
    }

    private mutating func replace(checking index: Int, with box: PathBox) throws(NavWireError) {
        guard boxes.indices.contains(index) else {
            throw NavWireError(code: .noSuchElement, reason: "no element \(index) in a path of \(count)")
        }
        replace(at: index, with: box)
    }

    /// Removes everything above the topmost element that equals `value`. Throws, and changes nothing, when there is none.
    public mutating func pop<V: Hashable>(to value: V) throws(NavWireError) {
        let wanted = ValueBox(value)
        guard let index = boxes.lastIndex(where: { $0.isEqual(to: wanted) }) else {
            throw NavWireError(
                code: .noSuchElement, reason: "no element of type \(wanted.tag) with that value in a path of \(count)")
        }
        removeLast(count - 1 - index)
    }
}

extension RouteRegistry {
    /// Whether two tags name one type.
    func isSameTag(_ left: String, _ right: String) -> Bool {
        left == right
            || (route(of: left).map { $0 === route(of: right) } ?? (RouteName.key(left) == RouteName.key(right)))
    }
}

extension PathValue {
    /// Whether both hold the same JSON value, one imported and the other encoded from a Swift value or not. Where one is known
    /// to have a set, or a dictionary that JSON has as an array, the other's array may be in any order.
    public func isEquivalent(to other: PathValue) -> Bool {
        guard self != other else { return true }
        guard let left = try? jsonValue(), let right = try? other.jsonValue() else { return false }
        return left == right
            || [itemOrder, other.itemOrder].contains { order in
                order.map { $0.sorting(left) == $0.sorting(right) } ?? false
            }
    }

    /// Which arrays have no order; nil when all have one, or nothing says that they have none.
    private var itemOrder: ItemOrder? {
        guard case .native(let value) = self, let node = try? value.node() else { return nil }
        return ItemOrder(node)
    }

    /// The JSON value; nil when the item is not JSON. Throws `notRepresentable` for what JSON has no form of.
    public func jsonValue() throws(NavWireError) -> JSONValue? {
        switch self {
        case .json(let value): value
        case .verbatim: nil
        case .native(let value): try value.node().jsonValue()
        }
    }
}

extension NavWireError.Code {
    /// A path has no such element.
    public static let noSuchElement = Self(rawValue: "noSuchElement")
}
