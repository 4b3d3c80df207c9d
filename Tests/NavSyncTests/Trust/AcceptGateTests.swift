// SPDX-License-Identifier: Apache-2.0
import NavSync
import Testing

@Suite struct AcceptGateTests {
    private let a: [UInt8] = [10, 0, 0, 1]
    private let b: [UInt8] = [10, 0, 0, 2]
    private let second: UInt64 = 1_000_000_000

    @Test func oneSourceCannotTakeAllPlaces() {
        var gate = AcceptGate()
        for _ in 0..<16 { #expect(gate.entered(a, at: 0) == nil) }
        #expect(gate.entered(a, at: 0) == .tooManyOfSource)
        #expect(gate.entered(b, at: 0) == nil)
        gate.left(a)
        #expect(gate.entered(a, at: 0) == nil)
        #expect(gate.unauthenticatedCount == 17)
    }

    @Test func allSourcesTogetherAreLimited() {
        var gate = AcceptGate()
        for number in 0..<128 { #expect(gate.entered([1, UInt8(number)], at: 0) == nil) }
        #expect(gate.entered(a, at: 0) == .tooMany)
        gate.left([1, 0])
        #expect(gate.entered(a, at: 0) == nil)
    }

    @Test func aSourceThatConnectsAgainAndAgainIsSlowedDown() {
        var gate = AcceptGate()
        var accepted = 0
        for step in 0..<1000 {
            if gate.entered(a, at: UInt64(step) * second / 1000) == nil {
                accepted += 1
                gate.left(a)
            }
        }
        #expect(accepted >= 40 && accepted <= 61)
        #expect(gate.entered(a, at: 10 * second) == nil)
    }

    @Test func rememberedSourcesAreBounded() {
        var limits = AcceptLimits()
        limits.maximumSourceCount = 4
        var gate = AcceptGate(limits: limits)
        for number in 0..<4 {
            #expect(gate.entered([UInt8(number)], at: 0) == nil)
            gate.left([UInt8(number)])
        }
        #expect(gate.entered([9], at: 0) == .tooMany)
        #expect(gate.entered([9], at: second) == nil)
    }

    @Test func aDoubleDepartureCountsOnce() {
        var gate = AcceptGate()
        #expect(gate.entered(a, at: 0) == nil)
        gate.left(a)
        gate.left(a)
        gate.left(b)
        #expect(gate.unauthenticatedCount == 0)
    }

    @Test func theAddressesOfOneIPv6NetworkAreOneSource() {
        let network: [UInt8] = [0x20, 1, 0xD, 0xB8, 0, 0, 0, 1]
        let hosts = [UInt8(1), 2].map { AcceptGate.source(of: network + [0, 0, 0, 0, 0, 0, 0, $0]) }
        #expect(hosts[0] == hosts[1])
        #expect(AcceptGate.source(of: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + a) == a)
        #expect(AcceptGate.source(of: a) == a)
    }
}

@Suite struct LocalAccessTests {
    @Test func withoutAnEntryThereIsNoRole() {
        #expect(LocalAccess().role(ofUser: 0, groups: [0]) == .none)
    }

    @Test func theGreatestRoleCounts() {
        var access = LocalAccess()
        access.grant(.reader, toUser: 1000)
        access.grant(.writer, toGroup: 50)
        access.grant(.reader, toGroup: 50)
        #expect(access.role(ofUser: 1000, groups: []) == .reader)
        #expect(access.role(ofUser: 1000, groups: [7, 50]) == .writer)
        #expect(access.role(ofUser: 7, groups: [50]) == .writer)
        #expect(access.role(ofUser: 50, groups: [1000]) == .none)
    }
}
