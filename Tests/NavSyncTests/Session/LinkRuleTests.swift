// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

@Suite struct LinkRuleTests {
    private func link(_ startCounter: UInt64, nonce: UInt64, dialled: Bool) -> LinkIdentity {
        LinkIdentity(startCounter: startCounter, nonce: nonce, isDialled: dialled)
    }

    @Test func ofTwoSimultaneousDialsTheLowerIdsStaysOnBothSides() {
        let (low, high) = (node(1), node(2))
        // In whatever order the two links become ready, at either end.
        for lowsFirst in [true, false] {
            let atLow = LinkRule.verdict(
                old: link(1, nonce: 9, dialled: lowsFirst), new: link(1, nonce: 9, dialled: !lowsFirst), us: low,
                peer: high)
            let atHigh = LinkRule.verdict(
                old: link(1, nonce: 8, dialled: !lowsFirst), new: link(1, nonce: 8, dialled: lowsFirst), us: high,
                peer: low)
            let expected: LinkRule.Verdict = lowsFirst ? .keep : .replace
            #expect(atLow == expected)
            #expect(atHigh == expected)
        }
    }

    @Test(arguments: [true, false])
    func aRedialReplaces(dialled: Bool) {
        let verdict = LinkRule.verdict(
            old: link(1, nonce: 9, dialled: dialled), new: link(1, nonce: 9, dialled: dialled), us: node(1),
            peer: node(2))
        #expect(verdict == .replace)
    }

    @Test(arguments: [(1, 2, LinkRule.Verdict.replace), (2, 2, .refuseIdentity), (3, 2, .refuseIdentity)])
    func theStartCounterTellsARestartFromACopy(old: UInt64, new: UInt64, expected: LinkRule.Verdict) {
        for (oldDialled, newDialled) in [(true, true), (true, false), (false, true), (false, false)] {
            let verdict = LinkRule.verdict(
                old: link(old, nonce: 1, dialled: oldDialled), new: link(new, nonce: 2, dialled: newDialled),
                us: node(1), peer: node(2))
            #expect(verdict == expected)
        }
    }
}
