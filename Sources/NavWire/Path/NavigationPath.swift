// SPDX-License-Identifier: Apache-2.0

extension NavTwin {
    /// A type-erased list of values, the root-most first: the content of a navigation stack.
    ///
    /// The twin of SwiftUI's type, with its API, its preconditions and its meaning of `codable`. Whether an element can
    /// be saved is decided by the overload that appended it: a value that passes through a function generic over
    /// `Hashable` alone is not saved, whatever its type can do. ``codabilityIssue`` names the element at fault.
    ///
    /// A path that was decoded holds elements whose types are not known yet. They count, they are kept, and they become
    /// values when a type for their tag is known: by ``resolve(using:policy:userInfo:)``, or in a stack whose
    /// destinations know the type.
    public struct NavigationPath {
        package private(set) var boxes: [PathBox] = []

        package init(boxes: [PathBox]) { self.boxes = boxes }

        /// An empty path.
        public init() {}

        /// A path of values that cannot be saved.
        public init<S: Sequence>(_ elements: S) where S.Element: Hashable {
            for element in elements { boxes.append(ValueBox(element)) }
        }

        /// A path of values that can be saved.
        public init<S: Sequence>(_ elements: S) where S.Element: Codable & Hashable {
            for element in elements { boxes.append(CodableBox(element)) }
        }

        /// A path from its saved form. Nothing is decoded until a type is known.
        public init(_ codable: CodableRepresentation) { boxes = codable.boxes }

        /// How many elements the path has, whether or not their types are known.
        public var count: Int { boxes.count }

        /// Whether the path has no element.
        public var isEmpty: Bool { boxes.isEmpty }

        /// Appends a value that cannot be saved.
        public mutating func append<V: Hashable>(_ value: V) { boxes.append(ValueBox(value)) }

        /// Appends a value that can be saved.
        public mutating func append<V: Codable & Hashable>(_ value: V) { boxes.append(CodableBox(value)) }

        /// Removes values from the end.
        ///
        /// `k` must be from 0 to ``count``; anything else is a mistake of the caller and traps, as in SwiftUI. Use
        /// ``tryRemoveLast(_:)`` where the number comes from outside.
        public mutating func removeLast(_ k: Int = 1) {
            precondition(0...count ~= k, "cannot remove \(k) of \(count) elements of a navigation path")
            boxes.removeLast(k)
        }

        /// The path in a form that can be saved; nil when an element was appended as Hashable only.
        public var codable: CodableRepresentation? {
            boxes.allSatisfy(\.isCodable) ? CodableRepresentation(boxes: boxes) : nil
        }

        package mutating func replace(at index: Int, with box: PathBox) { boxes[index] = box }
        package mutating func append(box: PathBox) { boxes.append(box) }
    }
}

extension NavTwin.NavigationPath: Equatable {
    /// Equal when all elements are, by static type and value. An element that waits for its type is equal only to
    /// another that waits: use ``isEquivalent(to:using:)`` to compare a path with its saved form.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.boxes.count == rhs.boxes.count && zip(lhs.boxes, rhs.boxes).allSatisfy { $0.isEqual(to: $1) }
    }
}

// Its elements need not be Sendable, as in SwiftUI. `[PathElement]` is the form that crosses threads.
@available(*, unavailable)
extension NavTwin.NavigationPath: Sendable {}
