// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// The deepest values of every kind are encoded and decoded on a stack of 512 KiB, in code that is not optimised too.
@Suite struct SmallStackTests {
    /// A set that is all that a value is.
    struct Ring: Codable, Hashable {
        var members: Set<Ring>
        init(_ inner: Ring?) { members = inner.map { [$0, .init(nil)] } ?? [] }
        init(from decoder: any Decoder) throws { members = try decoder.singleValueContainer().decode(Set<Ring>.self) }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(members)
        }
    }

    /// A set that writes itself inside a structure.
    struct Wrapper: Codable, Hashable {
        var members: Set<Wrapper>
        init(_ inner: Wrapper?) { members = inner.map { [$0, .init(nil)] } ?? [] }
        init(from decoder: any Decoder) throws { members = try Set(from: decoder) }
        func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }
    }

    /// The same in a tree of containers, which the first level makes of all.
    struct Late: Codable, Hashable {
        var members: Set<Late>
        init(_ inner: Late?) { members = inner.map { [$0, .init(nil)] } ?? [] }
        init(from decoder: any Decoder) throws {
            members = try decoder.container(keyedBy: AnyKey.self).decode(Set<Late>.self, forKey: "set")
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            let first = container.superEncoder(forKey: "first")
            _ = container.superEncoder(forKey: "second")
            var single = first.singleValueContainer()
            try single.encode(1)
            try container.encode(members, forKey: "set")
        }
    }

    /// Items that are written after the next one has begun.
    struct LateItems: Codable, Hashable {
        var items: [LateItems]
        init(_ inner: LateItems?) { items = inner.map { [$0] } ?? [] }
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            items = []
            if let count = container.count, count > 1 { items = [try container.decode(LateItems.self)] }
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            guard let item = items.first else { return }
            let first = container.superEncoder()
            _ = container.superEncoder()
            var single = first.singleValueContainer()
            try single.encode(item)
        }
    }

    struct Key: Codable, Hashable { var x: Int }

    /// A dictionary in pairs.
    struct Chain: Codable, Hashable {
        var links: [Key: Chain]
        init(_ inner: Chain?) { links = inner.map { [Key(x: 1): $0, Key(x: 2): .init(nil)] } ?? [:] }
        init(from decoder: any Decoder) throws {
            links = try decoder.singleValueContainer().decode([Key: Chain].self)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(links)
        }
    }

    /// A dictionary whose keys are strings.
    struct Folder: Codable, Hashable {
        var files: [String: Folder]
        init(_ inner: Folder?) { files = inner.map { ["a": $0, "b": .init(nil)] } ?? [:] }
        init(from decoder: any Decoder) throws {
            files = try decoder.singleValueContainer().decode([String: Folder].self)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(files)
        }
    }

    /// Optionals of optionals.
    struct Maybe: Codable, Hashable {
        var items: [Maybe??]
        init(_ inner: Maybe?) { items = inner.map { [$0] } ?? [] }
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            items = []
            while !container.isAtEnd { items.append(try container.decode(Maybe??.self)) }
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for item in items { try container.encode(item) }
        }
    }

    /// As the compiler writes it: an object, a set and so on.
    struct Plain: Codable, Hashable {
        var name = 1
        var members: Set<Plain>
        init(_ inner: Plain?) { members = inner.map { [$0, .init(nil)] } ?? [] }
    }

    /// By turns one that writes itself and one that is `Codable`.
    struct Direct: Codable, Hashable, NavWireCodable {
        var inner: [Direct]
        init(_ inner: Direct?) { self.inner = inner.map { [$0] } ?? [] }
        init(from reader: NavWireReader) throws { inner = try reader.array { try $0.value(Direct.self) } }
        func write(to writer: inout NavWireWriter) throws {
            try writer.array(inner) { try $0.write(encodable: $1) }
        }
    }

    /// Optionals of optionals around a list.
    struct MaybeList: Codable, Hashable, NavWireCodable {
        var inner: [MaybeList]
        init(_ inner: MaybeList?) { self.inner = inner.map { [$0] } ?? [] }
        init(from reader: NavWireReader) throws {
            if (try? reader.int()) != nil { throw NavWireError(code: .malformed, reason: "a number") }
            inner = try reader.value([MaybeList]??.self).flatMap(\.self) ?? []
        }
        func write(to writer: inout NavWireWriter) throws { try writer.write(encodable: Optional(Optional(inner))) }
    }

    /// The same around a dictionary in either form.
    struct MaybeFolder<Name: Codable & Hashable & ExpressibleByIntegerLiteral>: Codable, Hashable {
        var files: [Name: MaybeFolder]
        init(_ inner: MaybeFolder?) { files = inner.map { [1: $0] } ?? [:] }
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if (try? container.decode(Int.self)) != nil { throw NavWireError(code: .malformed, reason: "a number") }
            files = try container.decode([Name: MaybeFolder]??.self).flatMap(\.self) ?? [:]
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(Optional(Optional(files)))
        }
    }

    private static func make<Value>(_ levels: Int, _ wrap: (Value?) -> Value) -> Value {
        (1..<levels).reduce(wrap(nil)) { inner, _ in wrap(inner) }
    }

    private static func comesBack<Value: Codable & Hashable & SendableMetatype>(
        _ levels: Int, _ wrap: @escaping (Value?) -> Value
    ) async throws {
        nonisolated(unsafe) let value = make(levels, wrap)
        try await SmallStack.run {
            let envelope = try NavWireEncoder().encode(value)
            #expect(try NavWireDecoder().decode(Value.self, from: envelope) == value)
            let element = PathElement(tag: "Shop.Nest", value: .native(try NativeValue(encoding: value)))
            #expect(try PathEnvelope.decode(PathEnvelope.encode([element])) == [element])
        }
    }

    enum Kind: CaseIterable {
        case ring, wrapper, late, lateItems, chain, folder, maybe, plain, direct, maybeList, maybeFolder, maybeChain
    }

    @Test(arguments: Kind.allCases) func theDeepestFits(_ kind: Kind) async throws {
        let levels = NavWireLimits.default.maximumDepth
        switch kind {
        case .ring: try await Self.comesBack(levels, Ring.init)
        case .wrapper: try await Self.comesBack(levels, Wrapper.init)
        // An object and a set for each.
        case .late: try await Self.comesBack(levels / 2, Late.init)
        case .plain: try await Self.comesBack(levels / 2, Plain.init)
        case .lateItems: try await Self.comesBack(levels, LateItems.init)
        case .chain: try await Self.comesBack(levels, Chain.init)
        case .folder: try await Self.comesBack(levels, Folder.init)
        case .maybe: try await Self.comesBack(levels, Maybe.init)
        case .direct: try await Self.comesBack(levels, Direct.init)
        case .maybeList: try await Self.comesBack(levels, MaybeList.init)
        case .maybeFolder: try await Self.comesBack(levels, MaybeFolder<Int>.init)
        case .maybeChain: try await Self.comesBack(levels, MaybeFolder<Float>.init)
        }
    }

    /// Members that differ at the last level only, or not at all, have to be compared to there.
    @Test(arguments: [0, 1, 2]) func theDeepestMembersAreCompared(_ last: UInt8) async throws {
        let levels = NavWireLimits.default.maximumDepth
        func member(_ number: UInt8) -> [UInt8] { Array(repeating: Head.array + 1, count: levels - 1) + [number] }
        let payload: [UInt8] = [0, 0, 0, Head.rare, 9, 2] + member(1) + member(last)
        try await SmallStack.run {
            if last == 0 {
                #expect(throws: NavWireError.self) { try NativeValue(payload: payload) }
            } else {
                let value = try NativeValue(payload: payload)
                #expect(value.payload == payload)
            }
        }
    }
}
