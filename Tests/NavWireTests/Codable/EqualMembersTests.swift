// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavWire
import Testing

/// Members that are not equal to themselves. Each goes through all the others when it is put into a hash table, so a set
/// of a hundred thousand NaNs, which is 65 bytes when it is compressed, would take minutes.
@Suite struct EqualMembersTests {
    struct Point: Codable, Hashable { var x: Double }

    private static func nans(_ count: Int) -> [Double] { Array(repeating: .nan, count: count) }

    /// Throws what is refused, or gives what comes back.
    private static func check<Value: Codable>(_ value: Value, isRefused: Bool, count: (Value) -> Int) throws {
        guard isRefused else {
            #expect(try count(roundTrip(value)) == count(value))
            return
        }
        let error = try #require(throws: NavWireError.self) { try NavWireEncoder().encode(value) }
        #expect(error.code == .tooLarge)
        #expect(error.reason.contains("more than 64 equal"))
    }

    @Test(arguments: [(64, false), (65, true), (1_000, true)])
    func whatIsNotEqualToItselfIsWrittenSixtyFourTimes(count: Int, isRefused: Bool) throws {
        let nans = Self.nans(count)
        try Self.check(Set(nans), isRefused: isRefused, count: \.count)
        try Self.check([Set(nans.map { Float($0) })], isRefused: isRefused) { $0[0].count }
        try Self.check(["a": Set(nans.map(Point.init))], isRefused: isRefused) { $0["a"]?.count ?? 0 }
        try Self.check(Set(nans.map(Date.init(timeIntervalSince1970:))), isRefused: isRefused, count: \.count)
        let numbered = Dictionary(zip(nans, 0...)) { $1 }
        try Self.check(numbered, isRefused: isRefused, count: \.count)
        try Self.check([Set([numbered])], isRefused: isRefused) { $0[0].first?.count ?? 0 }
    }

    @Test func equalMembersCountOnlyBesideEachOther() throws {
        let other = Double(nan: 1, signaling: false)
        let set = Set(Self.nans(64) + [1, 2] + Array(repeating: other, count: 64))
        #expect(try roundTrip(set).count == 130)
        #expect(try roundTrip(Set(Set(0..<1_000).map(Double.init))).count == 1_000)
        #expect(try roundTrip(Self.nans(1_000)).count == 1_000)
    }

    @Test(arguments: [NavWireLimits.default, raised])
    func aPathOfManyIsRefusedWhenItIsRead(limits: NavWireLimits) throws {
        let count = 2_000
        let structure = [0xFE, 9] + RawEnvelope.varint(UInt64(count)) + [UInt8](repeating: 0xF2, count: count)
        let payload =
            [1, 0, 0, 1, 0xFB] + RawEnvelope.varint(291) + structure
            + (0..<count).flatMap { _ in [0, 0, 0xC0, 0x7F] }
        let envelope = RawEnvelope.stored(payload)
        let error = try #require(throws: NavWireError.self) { try PathEnvelope.decode(envelope, limits: limits) }
        #expect(error.code == .tooLarge && error.reason == "more than 64 equal members of a set, which is the limit")
        #expect(EnvelopeInspection.inspect(envelope).fault == error)
    }

    static var raised: NavWireLimits {
        var limits = NavWireLimits.default
        limits.maximumPayloadByteCount *= 10
        limits.maximumValueCount *= 10
        return limits
    }
}
