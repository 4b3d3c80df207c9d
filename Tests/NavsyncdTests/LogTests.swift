// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import navsyncd

@Suite struct LogTests {
    @Test(arguments: [
        ("plain-value:1", "plain-value:1"), ("", "\"\""), ("a b", "\"a b\""), ("a=b", "\"a=b\""),
        ("say \"x\"", "\"say \\\"x\\\"\""), ("back\\slash", "\"back\\\\slash\""), ("one\ntwo", "\"one\\ntwo\""),
        ("\u{1B}[31m", "\"\\u{1b}[31m\""), ("\u{202E}txt", "\"\\u{202e}txt\""), ("\u{9B}", "\"\\u{9b}\""),
        ("grün", "\"grün\""),
    ])
    func aValueCannotForgeALineOrCommandATerminal(_ value: String, _ written: String) {
        var line = LogLine()
        line.add(.reason, value)
        #expect(line.text == "reason=" + written)
    }

    @Test func linesForTheJournalBeginWithTheirPriorityAndHaveNoTime() {
        var lines: [String] = []
        let log = Log(level: .info, isJournal: true, monotonicNanoseconds: { 0 }) { lines.append($0) }
        log(.warning, .listenFailed, (.address, "tcp:[::1]:1"))
        log(.debug, .connected)
        #expect(lines == ["<4>msg=listen_failed address=tcp:[::1]:1\n"])
    }

    @Test func otherLinesHaveTimeAndLevel() throws {
        var lines: [String] = []
        let log = Log(level: .debug, isJournal: false, monotonicNanoseconds: { 0 }) { lines.append($0) }
        log(.error, .storeFull)
        let line = try #require(lines.first)
        #expect(
            line.firstMatch(of: /^time=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z level=error msg=store_full\n$/) != nil)
    }

    @Test func aFloodOfOneMessageIsCutAndCountedAndOthersAreNotHeldBack() {
        var lines: [String] = []
        var time: UInt64 = 1
        let log = Log(level: .info, isJournal: true, monotonicNanoseconds: { time }) { lines.append($0) }
        // A peer that flaps for an hour, once a second.
        for _ in 0..<3600 {
            log(.info, .dialFailed)
            time += 1_000_000_000
        }
        log(.info, .ready)
        #expect(lines.count <= 200)
        #expect(lines.last == "<6>msg=ready\n")
        let suppressed = lines.compactMap { $0.firstMatch(of: /suppressed=(\d+)/).flatMap { Int($0.1) } }.reduce(0, +)
        #expect(suppressed + lines.count - 1 >= 3570)
    }

    @Test func messagesAndKeysAreUnique() {
        #expect(Set(LogKey.allCases.map(\.rawValue)).count == LogKey.allCases.count)
        #expect(Set(LogMessage.allCases.map(\.rawValue)).count == LogMessage.allCases.count)
    }
}
