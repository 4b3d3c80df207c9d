// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// Values of a path are larger by themselves than in it when they share strings and shapes with other elements. What a
/// path can hold must come back all the same, and what comes back must go in again.
@Suite struct ElementLimitTests {
    /// After a first element that uses "shared" twice, each use of it takes one byte. Alone it comes after 48 others, and
    /// takes two.
    struct Large: Codable, Hashable {
        var names: [String]
        var data: Data

        init(_ byteCount: Int) {
            names = (0..<48).flatMap { ["name\($0)", "name\($0)"] } + [String](repeating: "shared", count: 200_000)
            data = Data(repeating: 7, count: byteCount)
        }
    }

    private static let limit = NavWireLimits.default.maximumPayloadByteCount

    private func path(_ large: Large) throws -> [PathElement] {
        [
            PathElement(tag: "Shop.First", value: try ElementCoder.encode(["shared", "shared"])),
            PathElement(tag: "Shop.Large", value: try ElementCoder.encode(large)),
        ]
    }

    private static var larger: NavWireOptions {
        var limits = NavWireLimits.default
        limits.maximumPayloadByteCount *= 2
        return NavWireOptions(compression: .none, limits: limits)
    }

    /// Data that make the payload of a path exactly as large as the limit.
    private func byteCountAtTheLimit() throws -> Int {
        let guess = 800_000
        let payload = try PathEnvelope.verifiedPayload(
            of: PathEnvelope.encode(path(Large(guess)), options: Self.larger), limits: Self.larger.limits)
        return guess + Self.limit - payload.count
    }

    @Test func aPathAtTheLimitComesBack() throws {
        let large = Large(try byteCountAtTheLimit())
        let path = try path(large)
        let envelope = try PathEnvelope.encode(path)
        #expect(try PathEnvelope.verifiedPayload(of: envelope).count == Self.limit)
        let back = try PathEnvelope.decode(envelope)
        #expect(back == path)
        guard case .native(let alone) = back[1].value else {
            Issue.record("the element was encoded from a Swift value")
            return
        }
        #expect(alone.payload.count > Self.limit)
        #expect(try ElementCoder.decode(Large.self, from: back[1].value) == large)
        #expect(try alone.node() == NativeValue(payload: alone.payload).node())
        #expect(try PathEnvelope.encode(back) == envelope)
    }

    @Test func oneByteMoreIsRefusedInBothDirections() throws {
        let path = try path(Large(byteCountAtTheLimit() + 1))
        #expect(throws: NavWireError(code: .tooLarge, reason: "")) { try PathEnvelope.encode(path) }
        let envelope = try PathEnvelope.encode(path, options: Self.larger)
        #expect(throws: NavWireError(code: .tooLarge, reason: "")) { try PathEnvelope.verifiedPayload(of: envelope) }
        #expect(throws: NavWireError(code: .tooLarge, reason: "")) { try PathEnvelope.decode(envelope) }
        #expect(try PathEnvelope.decode(envelope, limits: Self.larger.limits) == path)
    }

    @Test func anElementThatFitsInNoPathIsRefusedByItself() throws {
        let large = Data(repeating: 7, count: Self.limit + 100)
        #expect(throws: NavWireError(code: .tooLarge, reason: "")) { try ElementCoder.encode(large) }
        #expect(throws: NavWireError(code: .tooLarge, reason: "")) { try NavWireEncoder().encode(large) }
    }

    /// Members of sets are encoded by themselves before they are sorted.
    @Test func aMemberOfASetIsNoLargerThanItIsInTheSet() throws {
        let large = Large(try byteCountAtTheLimit() - 1_000)
        struct Both: Codable, Hashable {
            var first = ["shared", "shared"]
            var members: Set<Large>
        }
        let value = Both(members: [large])
        #expect(try roundTrip(value) == value)
    }

    @Test func growthIsBoundedForAllLimits() {
        var limits = NavWireLimits.default
        #expect(limits.forValueAlone.maximumPayloadByteCount == (1 << 20) + 10 * (1 << 18) + 64)
        limits.maximumValueCount = .max
        #expect(limits.forValueAlone.maximumPayloadByteCount == .max)
        #expect(NavWireLimits.boundless.forValueAlone.maximumPayloadByteCount == .max)
        #expect(NavWireLimits.growthAlone(Int.max / 10) == .max)
    }
}
