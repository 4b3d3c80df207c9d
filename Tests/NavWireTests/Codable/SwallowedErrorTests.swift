// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavWire
import Testing

/// Values that swallow errors and go on: what was told is told again, or nothing of what failed is left.
@Suite struct SwallowedErrorTests {
    // MARK: Faults, which stay

    private static let faulty: [(String, @Sendable (any Encoder) -> Void, NavWireError.Code)] = [
        ("too deep", { try? $0.encodeItem(Deep(levels: 70)) }, .tooDeep),
        (
            "too deep, asked for only",
            {
                var container = $0.unkeyedContainer()
                let ended = container.nestedUnkeyedContainer()
                var inner = container.nestedUnkeyedContainer()
                for _ in 0..<70 { inner = inner.nestedUnkeyedContainer() }
                _ = ended.count
            }, .tooDeep
        ),
        (
            "two values",
            {
                try? $0.encodeItem(
                    WritesItself {
                        $0.write(1)
                        $0.write(2)
                    })
            }, .notRepresentable
        ),
    ]

    @Test(arguments: faulty)
    private func aFaultInAMemberIsToldOfTheWholeDocument(
        _ name: String, _ body: @escaping @Sendable (any Encoder) -> Void, _ code: NavWireError.Code
    ) {
        let value = Writes(body)
        let error = NavWireError(code: code, reason: "")
        for count in 1...4 {
            let dictionary = Dictionary(uniqueKeysWithValues: (0..<count).map { ("key \($0)", value) })
            #expect(throws: error) { try NavWireEncoder().encode(dictionary) }
            #expect(throws: error) { try NavWireEncoder().encode(["outer": dictionary]) }
            #expect(throws: error) { try NavWireEncoder().encode([dictionary]) }
            let items = DirectItems(programs: [dictionary, dictionary])
            #expect(throws: error) { try NavWireEncoder().encode(direct: items) }
        }
        expectGoodBytes()
    }

    // MARK: Errors, which leave nothing

    /// Fails where the containers around it have to be closed to take it back.
    private struct FailsInside: Encodable {
        func encode(to encoder: any Encoder) throws { try encoder.encodeItem(["a": Writes { _ in throw Failure() }]) }
    }

    private static let around: [(String, @Sendable (FailsInside) -> any Encodable)] = [
        ("plain", { $0 }),
        ("whole", { DirectWhole(program: $0) }),
        ("items", { DirectItems(programs: [$0, $0]) }),
        ("object", { DirectObject(program: 1, next: $0) }),
        ("object in items", { DirectItems(programs: [DirectObject(program: $0, next: 1)]) }),
        (
            "arrays in items",
            { value in
                WritesItself(
                    { writer in
                        try writer.array { writer in
                            try writer.item { $0.write(1) }
                            try writer.item {
                                try $0.array([1, 2]) { writer, _ in try writer.write(encodable: value) }
                            }
                        }
                    },
                    plainly: { encoder in
                        var container = encoder.unkeyedContainer()
                        try container.encode(1)
                        try container.encode([value, value])
                    })
            }
        ),
    ]

    @Test(arguments: around)
    private func whatFailedInATypeThatWritesItselfIsTakenBack(
        _ name: String, _ wrap: @Sendable (FailsInside) -> any Encodable
    ) throws {
        let value = wrap(FailsInside())
        let swallows = Writes { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode("before")
            try? container.encode(value)
            try container.encode("after")
        }
        for _ in 0..<50 {
            #expect(try NavWireEncoder().encode([swallows]) == NavWireEncoder().encode([["before", "after"]]))
            let members = ["a": ["before", "after"], "b": ["before", "after"], "c": ["before", "after"]]
            let failing = ["a": swallows, "b": swallows, "c": swallows]
            #expect(try NavWireEncoder().encode(failing) == NavWireEncoder().encode(members))
            expectGoodBytes()
        }
    }

    /// Damage would be met by whoever comes next.
    private func expectGoodBytes() {
        #expect(throws: Never.self) {
            let values = ["Shop.Product", "Shop.Item", "red"]
            let decoded = try NavWireDecoder().decode([String].self, from: NavWireEncoder().encode(values))
            #expect(decoded == values)
        }
    }
}

private struct Failure: Error {}

private struct Deep: Encodable {
    let levels: Int

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        if levels > 0 { try container.encode(Deep(levels: levels - 1)) }
    }
}

extension Encoder {
    fileprivate func encodeItem(_ value: some Encodable) throws {
        var container = unkeyedContainer()
        try container.encode("x")
        try container.encode(value)
    }
}

/// Writes itself as it is told to.
struct WritesItself: NavWireEncodable, Encodable {
    let body: (inout NavWireWriter) throws -> Void
    let plain: (any Encoder) throws -> Void

    init(
        _ body: @escaping (inout NavWireWriter) throws -> Void,
        plainly plain: @escaping (any Encoder) throws -> Void = { _ in }
    ) {
        self.body = body
        self.plain = plain
    }

    func write(to writer: inout NavWireWriter) throws { try body(&writer) }
    func encode(to encoder: any Encoder) throws { try plain(encoder) }
}
