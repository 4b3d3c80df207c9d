// SPDX-License-Identifier: Apache-2.0
import NavWire

/// A value whose `encode(to:)` does what a seed says: it opens containers, writes to them by turns, asks for them again,
/// writes keys that it has written, forwards to other values, or does nothing. Never what makes `JSONEncoder` trap.
struct RandomProgram: Encodable, Hashable {
    var seed: UInt64
    var depth = 0
    /// Whether values take part that fail, and whose errors are swallowed: after these `JSONEncoder` traps.
    var swallowsErrors = false

    func encode(to encoder: any Encoder) throws {
        var run = Run(random: RandomContent(seed: seed), program: self)
        try run.encode(to: encoder)
    }

    struct Failure: Error {}

    /// A program that fails after all.
    private struct Failing: Encodable {
        let program: RandomProgram

        func encode(to encoder: any Encoder) throws {
            try program.encode(to: encoder)
            throw Failure()
        }
    }

    /// What `JSONEncoder` lets a key become: nothing but what it is.
    private final class Members {
        enum Kind { case object(Members), array, other }

        var kinds: [AnyKey: Kind]

        init(_ kinds: [AnyKey: Kind] = [:]) { self.kinds = kinds }
    }

    private enum Handle {
        case keyed(KeyedEncodingContainer<AnyKey>, Members)
        case unkeyed(any UnkeyedEncodingContainer)
    }

    private struct Run {
        var random: RandomContent
        let program: RandomProgram
        var handles: [Handle] = []

        mutating func encode(to encoder: any Encoder) throws {
            if program.depth > 3 {
                try random.below(1000).encode(to: encoder)
                return
            }
            switch random.below(9) {
            case 0:
                var place = encoder.singleValueContainer()
                try place.encode(scalar())
            case 1: return
            case 2: try child().encode(to: encoder)
            case 3...5: try write(to: .keyed(encoder.container(keyedBy: AnyKey.self), Members()))
            default: try write(to: .unkeyed(encoder.unkeyedContainer()))
            }
        }

        private mutating func write(to first: Handle) throws {
            handles = [first]
            for _ in 0..<random.below(8) {
                let place = random.below(2) == 0 ? handles.count - 1 : random.below(handles.count)
                switch handles[place] {
                case .keyed(var container, let members): try write(to: &container, members)
                case .unkeyed(var container):
                    try write(to: &container)
                    handles[place] = .unkeyed(container)
                }
            }
        }

        private mutating func write(to container: inout KeyedEncodingContainer<AnyKey>, _ members: Members) throws {
            let key: AnyKey = random.pick(["a", "b", "title", "x", "own"])
            switch (random.below(9), members.kinds[key]) {
            case (0...1, _):
                try encode(scalar(), key, &container)
                members.kinds[key] = .other
            case (2...3, _):
                try encode(child(), key, &container)
                members.kinds[key] = .other
            case (4, _):
                try container.encode(Pair(x: 1, y: random.below(500)), forKey: key)
                members.kinds[key] = .object(Members(["x": .other, "y": .other]))
            case (5, _):
                try child().encode(to: container.superEncoder(forKey: key))
                members.kinds[key] = .other
            case (6, _) where program.swallowsErrors: try? container.encode(Failing(program: next()), forKey: key)
            case (7, .array), (7, nil):
                members.kinds[key] = .array
                handles.append(.unkeyed(container.nestedUnkeyedContainer(forKey: key)))
            case (_, nil): nest(Members(), key, &container, members)
            case (_, .object(let inner)): nest(inner, key, &container, members)
            default: break
            }
        }

        private mutating func nest(
            _ inner: Members, _ key: AnyKey, _ container: inout KeyedEncodingContainer<AnyKey>, _ members: Members
        ) {
            members.kinds[key] = .object(inner)
            handles.append(.keyed(container.nestedContainer(keyedBy: AnyKey.self, forKey: key), inner))
        }

        private mutating func write(to container: inout any UnkeyedEncodingContainer) throws {
            switch random.below(8) {
            case 0...1: try container.encode(scalar())
            case 2...3: try container.encode(child())
            case 4: try child().encode(to: container.superEncoder())
            case 5 where program.swallowsErrors: try? container.encode(Failing(program: next()))
            case 6: handles.append(.keyed(container.nestedContainer(keyedBy: AnyKey.self), Members()))
            default: handles.append(.unkeyed(container.nestedUnkeyedContainer()))
            }
        }

        private func encode<Value: Encodable>(
            _ value: Value, _ key: AnyKey, _ container: inout KeyedEncodingContainer<AnyKey>
        ) throws {
            try container.encode(value, forKey: key)
        }

        private mutating func next() -> RandomProgram {
            RandomProgram(seed: random.next(), depth: program.depth + 1, swallowsErrors: program.swallowsErrors)
        }

        private mutating func child() -> any Encodable {
            let program = next()
            return switch random.below(18) {
            case 0: ["k": program, "l": next()]
            case 1: Set([program])
            case 2: [program: "value"]
            case 3: ["key": Set([[program]])]
            case 4: Optional(Optional(program))
            case 5: [program, next()]
            case 6: Headers(values: ["h": program, "title": next()])
            case 7: Forwarding(program: program)
            case 8: DirectWhole(program: program)
            case 9: DirectWhole(program: DirectWhole(program: program))
            case 10: DirectObject(program: program, next: next())
            case 11: DirectItems(programs: [program, next()])
            case 12: DirectWhole(program: ["m": DirectObject(program: program, next: next())])
            case 13: Headers(values: ["d": DirectObject(program: program, next: next())])
            default: program
            }
        }

        private mutating func scalar() -> any Encodable {
            random.pick([
                1, "s", "title", true, 300, -5, 2.5, [1, 2, 3, 400], ["a", "b"], ["x": "y"],
                [Bool](repeating: true, count: 9), UInt8(7), Optional<String>.none, [Int](), [100_000, 100_001, 3, 4],
            ])
        }
    }
}

/// A dictionary that writes itself where it stands.
struct Headers<Value: Encodable>: Encodable {
    var values: [String: Value]

    func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
}

private struct Forwarding<Program: Encodable>: Encodable {
    var program: Program

    func encode(to encoder: any Encoder) throws {
        var place = encoder.singleValueContainer()
        try place.encode(program)
    }
}

// Types that write themselves, and what they are to `JSONEncoder`.

struct DirectWhole<Program: Encodable>: NavWireEncodable, Encodable {
    var program: Program

    func write(to writer: inout NavWireWriter) throws { try writer.write(encodable: program) }
    func encode(to encoder: any Encoder) throws { try Forwarding(program: program).encode(to: encoder) }
}

struct DirectObject<Program: Encodable, Next: Encodable>: NavWireEncodable, Encodable {
    var program: Program
    var next: Next

    enum CodingKeys: String, CodingKey { case before, program, next, after }
    private static var keys: NavWireKeys { NavWireKeys("before", "program", "next", "after") }

    func write(to writer: inout NavWireWriter) throws {
        try writer.object(Self.keys) {
            $0.write("title", 0)
            try $0.write(encodable: program, 1)
            try $0.write(encodable: next, 2)
            $0.write("title", 3)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("title", forKey: .before)
        try container.encode(program, forKey: .program)
        try container.encode(next, forKey: .next)
        try container.encode("title", forKey: .after)
    }
}

struct DirectItems<Program: Encodable>: NavWireEncodable, Encodable {
    var programs: [Program]

    func write(to writer: inout NavWireWriter) throws {
        try writer.array(programs) { try $0.write(encodable: $1) }
    }

    func encode(to encoder: any Encoder) throws { try programs.encode(to: encoder) }
}

/// A value by way of its `Codable` conformance only.
struct NotDirect<Value: Encodable>: Encodable {
    var value: Value

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
