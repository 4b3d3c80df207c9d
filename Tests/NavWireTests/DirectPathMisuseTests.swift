// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavWire
import Testing

/// Types that write themselves wrongly: what an encoder gives away can be read, whatever it was made of.
@Suite struct DirectPathMisuseTests {
    private static let mistakes: [(String, Written)] = [
        ("a key without a value", Written { try $0.object(keys) { $0.writeKey(0) } }),
        ("a value without a key", Written { try $0.object(keys) { $0.write(1) } }),
        ("a key too many", Written { try $0.object(keys) { try $0.object(keys, 0) { $0.writeKey(1) } } }),
        (
            "two values",
            Written {
                $0.write(1); $0.write(2)
            }
        ),
        (
            "a value and an array",
            Written {
                $0.write(1); try $0.array([1]) { $0.write($1) }
            }
        ),
        (
            "two values in an item",
            Written {
                try $0.array([1, 2]) {
                    $0.write($1); $0.write($1)
                }
            }
        ),
        (
            "a value before an item",
            Written {
                try $0.array {
                    $0.write(1); try $0.item { $0.write(2) }
                }
            }
        ),
        (
            "a value after an item",
            Written {
                try $0.array {
                    try $0.item { $0.write(2) }; $0.write(1)
                }
            }
        ),
        (
            "two encoded values",
            Written {
                try $0.write(encodable: [1]); try $0.write(encodable: [2])
            }
        ),
    ]

    @Test(arguments: mistakes)
    private func valuesThatDoNotMatchTheirPlacesAreTold(_ mistake: String, _ value: Written) {
        #expect(throws: notRepresentable) { try NavWireEncoder().encode(direct: value) }
        #expect(throws: notRepresentable) { try NavWireEncoder().encode([value]) }
        #expect(throws: notRepresentable) {
            try NavWireEncoder().encode(
                Plain { encoder in
                    var container = encoder.unkeyedContainer()
                    try? container.encode(value)
                    try container.encode(1)
                })
        }
    }

    @Test(arguments: [4, 1000, 20_000], [1, 100, Int.max])
    func anItemInsideAnItemIsTold(_ count: Int, _ number: Int) {
        let value = Written { try $0.array(0..<count) { writer, _ in try writer.item { $0.write(number) } } }
        #expect(throws: notRepresentable) { try NavWireEncoder().encode(direct: value) }
    }

    @Test func anItemOfTwoValuesInsideAnItemIsTold() throws {
        let two = Written {
            try $0.item {
                $0.write(true); $0.write(7)
            }
        }
        let inside = Written { try $0.array(0..<20) { writer, _ in try two.write(to: &writer) } }
        #expect(throws: notRepresentable) { try NavWireEncoder().encode(direct: inside) }
        #expect(throws: notRepresentable) { try NavWireEncoder().encode(Array(repeating: two, count: 20)) }
    }

    /// It may come of an error that was swallowed, which is a matter of the data.
    @Test func anItemThatIsNotWrittenIsTold() {
        let nothing = Written {
            try $0.array {
                try $0.item { $0.write(1) }; try $0.item { _ in }
            }
        }
        let lossy = Written { try $0.array([1, 2]) { writer, _ in try? writer.write(Written { _ in throw Fault() }) } }
        for value in [nothing, lossy] {
            #expect(throws: notRepresentable) { try NavWireEncoder().encode(direct: value) }
            #expect(throws: notRepresentable) { try NavWireEncoder().encode([value]) }
        }
    }

    private static let swallowed: [(String, Written)] = [
        (
            "in an item",
            Written {
                try $0.array { writer in
                    try writer.item { $0.write(1) }
                    try? writer.item {
                        $0.write(7); throw Fault()
                    }
                    try writer.item { $0.write(3) }
                }
            }
        ),
        ("after a key", Written { try $0.object(keys) { try? $0.write(Written { _ in throw Fault() }, 0) } }),
        (
            "in an array",
            Written {
                try $0.object(keys) {
                    $0.writeKey(0); try? $0.array([1]) { _, _ in throw Fault() }
                }
            }
        ),
        (
            "in an encoded value",
            Written {
                try $0.array([1, 2]) { writer, _ in try? writer.write(encodable: Plain { _ in throw Fault() }) }
            }
        ),
    ]

    @Test(arguments: swallowed)
    private func goingOnAfterAnErrorIsTold(_ place: String, _ value: Written) {
        #expect(throws: notRepresentable) { try NavWireEncoder().encode(direct: value) }
    }

    @Test func aCodableTypeGoesOnAfterAnErrorAsItDoesWithoutTheDirectPath() throws {
        let failing: [Written] = [
            Written { _ in throw Fault() },
            Written {
                try $0.object(keys) {
                    $0.writeKey(0); throw Fault()
                }
            },
            Written {
                try $0.object(keys) {
                    $0.write("x", 0); throw Fault()
                }
            },
            Written {
                try $0.array(0..<40) {
                    $0.write($1); if $1 == 30 { throw Fault() }
                }
            },
            Written {
                try $0.array(0..<40) {
                    if $1 == 30 { throw Fault() }; $0.write($1)
                }
            },
            Written {
                try $0.array {
                    try $0.item {
                        try $0.object(keys) {
                            $0.writeKey(1); throw Fault()
                        }
                    }
                }
            },
            Written { try $0.object(keys) { try $0.write(encodable: Plain { _ in throw Fault() }, 1) } },
        ]
        func lists(_ value: some Encodable) throws -> [UInt8] {
            try NavWireEncoder().encode(
                Plain { encoder in
                    var container = encoder.container(keyedBy: Key.self)
                    try container.encode("x", forKey: Key("a"))
                    try? container.encode(value, forKey: Key("b"))
                    var items = container.nestedUnkeyedContainer(forKey: Key("c"))
                    try? items.encode(value)
                    try items.encode(["x"])
                })
        }
        let expected = try lists(Plain { _ in throw Fault() })
        for value in failing { #expect(try lists(value) == expected) }
    }

    // MARK: Containers kept from around

    /// No type that writes itself can hold such a value, so its `Codable` conformance does.
    @Test(arguments: [0, 1, 2, 5])
    func aValueInsideThatWritesToAContainerAroundIsWrittenPlainly(_ depth: Int) throws {
        func document(_ nested: @escaping (Plain) -> any Encodable) -> Plain {
            Plain { encoder in
                var container = encoder.container(keyedBy: Key.self)
                let kept = container
                let stray = Plain { encoder in
                    var place = encoder.singleValueContainer()
                    try place.encode(5)
                    var kept = kept
                    try kept.encode(9, forKey: Key("b"))
                }
                try container.encode(nested(stray), forKey: Key("a"))
                try container.encode(2, forKey: Key("z"))
            }
        }
        let plain = try NavWireEncoder().encode(document { stray in Plain { try nest(depth, stray, in: $0) } })
        for swallows in [false, true] {
            let direct = document { stray in
                Nested(depth, swallows: swallows, plainly: stray) { try $0.write(encodable: stray) }
            }
            #expect(try NavWireEncoder().encode(direct) == plain)
        }
    }

    @Test(arguments: [0, 1, 2, 5])
    func whatWritesToAContainerAroundIsAskedPlainly(_ depth: Int) {
        let value = Plain { encoder in
            var container = encoder.container(keyedBy: Key.self)
            let kept = container
            let nested = Nested(depth, swallows: false) {
                var kept = kept
                try kept.encode([9], forKey: Key("b"))
                $0.write(1)
            }
            try container.encode(nested, forKey: Key("a"))
        }
        #expect(throws: Fault.self) { try NavWireEncoder().encode(value) }
    }

    @Test func aPlaceThatIsLentIsNotWrittenTwice() {
        let value = Plain { encoder in
            var place = encoder.singleValueContainer()
            try place.encode(
                Nested(0, swallows: false) {
                    var place = encoder.singleValueContainer()
                    try place.encode(1)
                    $0.write(2)
                })
        }
        #expect(throws: Fault.self) { try NavWireEncoder().encode([value]) }
        let reopened = Plain { encoder in
            var place = encoder.singleValueContainer()
            try place.encode(
                Nested(0, swallows: false) {
                    try $0.array { writer in
                        try writer.item {
                            var items = encoder.unkeyedContainer()
                            try items.encode("x")
                            $0.write(70)
                        }
                    }
                })
        }
        #expect(throws: Fault.self) { try NavWireEncoder().encode([reopened]) }
    }
}

private let notRepresentable = NavWireError(code: .notRepresentable, reason: "")
private let keys = NavWireKeys("a", "b")

// MARK: Types

private struct Fault: Error {}

private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ string: String) { stringValue = string }
    init(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

private struct Plain: Encodable {
    let body: (any Encoder) throws -> Void
    init(_ body: @escaping (any Encoder) throws -> Void) { self.body = body }
    func encode(to encoder: any Encoder) throws { try body(encoder) }
}

/// Writes what it is told to.
private struct Written: NavWireCodable, Encodable, Sendable {
    let body: @Sendable (inout NavWireWriter) throws -> Void
    init(_ body: @escaping @Sendable (inout NavWireWriter) throws -> Void) { self.body = body }
    init(from reader: NavWireReader) throws { self.init { _ in } }
    func write(to writer: inout NavWireWriter) throws { try body(&writer) }
    func encode(to encoder: any Encoder) throws { throw Fault() }
}

private func nest(_ depth: Int, _ value: any Encodable, in encoder: any Encoder) throws {
    guard depth > 0 else {
        var container = encoder.singleValueContainer()
        return try container.encode(value)
    }
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(Plain { try nest(depth - 1, value, in: $0) }, forKey: Key("a"))
}

/// Objects inside each other around what it is told to write.
private struct Nested: NavWireCodable, Encodable {
    let depth: Int
    let swallows: Bool
    let plain: any Encodable
    let body: (inout NavWireWriter) throws -> Void

    init(
        _ depth: Int, swallows: Bool, plainly plain: any Encodable = Plain { _ in throw Fault() },
        _ body: @escaping (inout NavWireWriter) throws -> Void
    ) {
        self.depth = depth
        self.plain = plain
        self.swallows = swallows
        self.body = body
    }

    init(from reader: NavWireReader) throws { self.init(0, swallows: false) { _ in } }
    func encode(to encoder: any Encoder) throws { try nest(depth, plain, in: encoder) }

    func write(to writer: inout NavWireWriter) throws { try write(depth, to: &writer) }

    private func write(_ depth: Int, to writer: inout NavWireWriter) throws {
        guard depth > 0 else {
            if swallows { try? body(&writer) } else { try body(&writer) }
            return
        }
        try writer.object(keys) { writer in
            writer.writeKey(0)
            try write(depth - 1, to: &writer)
        }
    }
}
