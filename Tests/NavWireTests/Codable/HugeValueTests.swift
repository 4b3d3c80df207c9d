// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavWire
import Testing

/// Values far beyond the limits: they are refused while they are written, not when they are whole.
@Suite struct HugeValueTests {
    private static let tooLarge = NavWireError(code: .tooLarge, reason: "")

    /// Calls `write` until it throws, which it does before it has written many times what a payload may hold.
    private func expectEarlyEnd(_ stepByteCount: Int, _ write: (Int) throws -> Void) throws {
        for step in 0..<(64 << 20) / stepByteCount { try write(step) }
        Issue.record("64 MiB were written")
    }

    @Test func itemsEndAtTheFirstThatIsTooMuch() throws {
        let long = String(repeating: "x", count: 1000)
        let data = Data(count: 1000)
        let items: [Step<any UnkeyedEncodingContainer>] = [
            Step(9) { try $0.encode(Int.max - $1) },
            Step(9) { try $0.encode(Double($1) / 7) },
            Step(4) { try $0.encode(Float($1) / 7) },
            Step(1000) { try $0.encode("\($1) \(long)") },
            Step(1000) { container, _ in try container.encode(data) },
            Step(16) { container, _ in try container.encode(UUID()) },
            Step(90) { container, _ in try container.encode([Int](repeating: Int.max, count: 10)) },
            Step(10) { try $0.encode(Pair(x: $1, y: Int.max)) },
            Step(10) { try $0.encode(["a": $1]) },
            Step(10) { container, _ in try container.encode(WritesItself { $0.write(Int.max) }) },
        ]
        for step in items {
            let value = Writes { encoder in
                var container = encoder.unkeyedContainer()
                try expectEarlyEnd(step.byteCount) { try step.write(&container, $0) }
            }
            #expect(throws: Self.tooLarge) { try NavWireEncoder().encode(value) }
            #expect(throws: Self.tooLarge) { try NavWireEncoder().encode(["a": value, "b": value]) }
            #expect(throws: Self.tooLarge) { try NavWireEncoder().encode(DirectItems(programs: [value, value])) }
        }
    }

    @Test func membersEndAtTheFirstThatIsTooMuch() throws {
        let long = String(repeating: "x", count: 1000)
        let members: [Step<KeyedEncodingContainer<AnyKey>>] = [
            Step(9) { try $0.encode(Int.max - $1, forKey: "a") },
            Step(100) { try $0.encode(String(repeating: "\($1)", count: 20), forKey: "a") },
            Step(1000) { try $0.encode(1, forKey: AnyKey(stringLiteral: "\($1) \(long)")) },
            Step(10) { try $0.encode(Pair(x: $1, y: Int.max), forKey: "a") },
        ]
        for member in members {
            let value = Writes { encoder in
                // An object of very many keys is slow to look at: one object after the other.
                var items = encoder.unkeyedContainer()
                var container = items.nestedContainer(keyedBy: AnyKey.self)
                try expectEarlyEnd(member.byteCount) { step in
                    if step % 100 == 0 { container = items.nestedContainer(keyedBy: AnyKey.self) }
                    try member.write(&container, step)
                }
            }
            #expect(throws: Self.tooLarge) { try NavWireEncoder().encode(value) }
        }
    }

    @Test func whatWritesItselfEndsAtTheFirstItemThatIsTooMuch() throws {
        let long = String(repeating: "x", count: 1000)
        let items: [(Int, @Sendable (inout NavWireWriter, Int) throws -> Void)] = [
            (9, { writer, step in writer.write(Int.max - step) }),
            (9, { writer, step in writer.write(Double(step) / 7) }),
            (1000, { writer, step in writer.write("\(step) \(long)") }),
            (1000, { writer, _ in writer.write(Data(count: 1000)) }),
            (10, { writer, step in try writer.write(encodable: ["a": step]) }),
            (10, { writer, _ in try writer.array([Int.max]) { $0.write($1) } }),
        ]
        for (byteCount, write) in items {
            let value = WritesItself { writer in
                try writer.array { writer in
                    try expectEarlyEnd(byteCount) { step in try writer.item { try write(&$0, step) } }
                }
            }
            #expect(throws: Self.tooLarge) { try NavWireEncoder().encode(direct: value) }
            #expect(throws: Self.tooLarge) { try NavWireEncoder().encode([value]) }
        }
    }

    /// Who swallows what he is told is told again in the end, and what he writes goes nowhere.
    @Test func nothingIsTooMuchToBeSwallowed() throws {
        let value = Writes { encoder in
            var container = encoder.unkeyedContainer()
            let text = String(repeating: "x", count: 3 << 20)
            for step in 0..<30_000 {
                try? container.encode(Int.max - step)
                if step % 200 == 0 { try? container.encode(Data(count: 2 << 20)) }
                if step % 200 == 1 { try? container.encode(text) }
                var inner = container.nestedUnkeyedContainer()
                try? inner.encode(["a": Pair(x: step, y: .max)])
            }
        }
        #expect(throws: Self.tooLarge) { try NavWireEncoder().encode(value) }
        #expect(throws: Self.tooLarge) { try NavWireEncoder().encode(["a": value]) }
        #expect(try roundTrip(["Shop.Product", "x"]) == ["Shop.Product", "x"])
    }

    /// What is packed in the end may be larger while it is written.
    @Test func packedItemsMayFillThePayload() throws {
        var limits = NavWireLimits.default
        limits.maximumValueCount = 1 << 20
        limits.maximumPayloadByteCount = 1 << 18
        let encoder = NavWireEncoder(options: .init(compression: .none, limits: limits))
        let flags = (0..<(1 << 20) - 2).map { $0 % 3 == 0 }
        #expect(try encoder.encode(flags).count < 1 << 18)
        let bytes = (0..<(1 << 18) - 40).map { $0 % 200 + 70 }
        #expect(try encoder.encode(bytes).count < 1 << 18)
    }
}

/// One of very many steps.
private struct Step<Container> {
    let byteCount: Int
    let write: (inout Container, Int) throws -> Void

    init(_ byteCount: Int, _ write: @escaping (inout Container, Int) throws -> Void) {
        self.byteCount = byteCount
        self.write = write
    }
}
