// SPDX-License-Identifier: Apache-2.0

/// What becomes of an element that does not decode.
public enum UndecodablePolicy: Hashable, Sendable {
    /// It and everything above it goes, as in SwiftUI.
    case keepPrefix
    /// It alone goes.
    case skip
    /// It stays as it was read: it counts, and it is written back unchanged.
    case keepOpaque
}

/// What becomes of an element that does not encode.
public enum UnencodablePolicy: Hashable, Sendable {
    /// The whole is refused, with the element's place.
    case refuse
    /// It alone is left out.
    case skip
    /// It and everything above it is left out: a path can be restored only as far as all below can be.
    case keepPrefix
}

extension NavTwin.NavigationPath {
    /// Turns elements that wait for their type into values, as far as the registry's types go.
    ///
    /// The result names each element that did not decode, with its index, its tag and the reason. No input traps, and
    /// with `keepOpaque` nothing is lost. Resolving again, with more types, goes on where this left off.
    @discardableResult
    public mutating func resolve(
        using registry: RouteRegistry, policy: UndecodablePolicy = .keepOpaque, userInfo: [CodingUserInfoKey: Any] = [:]
    ) -> [PathIssue] {
        var resolved = Self()
        var issues: [PathIssue] = []
        for (index, box) in boxes.enumerated() {
            guard let element = box.pending else {
                resolved.append(box: box)
                continue
            }
            do {
                resolved.append(box: try registry.box(of: element, at: index, userInfo: userInfo))
            } catch {
                issues.append(error)
                if policy == .keepPrefix { break }
                if policy == .keepOpaque { resolved.append(box: box) }
            }
        }
        self = resolved
        return issues
    }

    /// Removes all elements whose types are still not known, and says how many there were.
    @discardableResult
    public mutating func pruneUnresolved() -> Int {
        let kept = boxes.filter { $0.pending == nil }
        defer { self = Self(boxes: kept) }
        return count - kept.count
    }

    /// How many elements wait for their type.
    public var unresolvedCount: Int { boxes.count { $0.pending != nil } }

    /// Why ``codable`` is nil: the first element, from the root, that was appended as Hashable only.
    public var codabilityIssue: PathIssue? {
        boxes.firstIndex { !$0.isCodable }.map { .notCodable(boxes[$0].tag, at: $0) }
    }

    /// A path of plain elements, root-most first. Types are not known yet: see ``resolve(using:policy:userInfo:)``.
    public init(_ elements: [PathElement]) { self.init(boxes: elements.map(PendingBox.init)) }

    /// The path as plain elements, root-most first, under the registry's names and with its redaction.
    ///
    /// Returns the issues of elements that were left out; with `refuse` there are none and the first throws.
    public func elements(
        using registry: RouteRegistry = .standard, policy: UnencodablePolicy = .refuse,
        limits: NavWireLimits = .default, userInfo: [CodingUserInfoKey: Any] = [:]
    ) throws(PathIssue) -> (elements: [PathElement], issues: [PathIssue]) {
        var elements: [PathElement] = []
        var issues: [PathIssue] = []
        for (index, box) in boxes.enumerated() {
            do {
                elements.append(try registry.element(of: box, at: index, limits: limits, userInfo: userInfo))
            } catch {
                if policy == .refuse { throw error }
                issues.append(error)
                if policy == .keepPrefix { break }
            }
        }
        return (elements, issues)
    }
}

extension RouteRegistry {
    /// A box as a plain element. An element that waits for its type is passed on as it was read.
    func element(
        of box: PathBox, at index: Int, redacts: Bool = true, limits: NavWireLimits = .default,
        userInfo: [CodingUserInfoKey: Any] = [:]
    ) throws(PathIssue) -> PathElement {
        if let element = box.pending { return element }
        let route = box.type.flatMap { self.route(of: $0) }
        let tag = route?.tag ?? box.tag
        guard box.isCodable else { throw .notCodable(tag, at: index) }
        if redacts, route?.redaction == .everywhere { return PathElement(tag: tag, value: Self.placeholder) }
        do {
            return PathElement(tag: tag, value: try box.encoded(limits: limits, userInfo: userInfo))
        } catch {
            let isHidden = route.map { $0.redaction != .none } ?? false
            throw PathIssue(
                code: .notEncodable, index: index, tag: tag, reason: ElementCoder.reason(error, isHidden: isHidden))
        }
    }
}
