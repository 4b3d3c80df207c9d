// SPDX-License-Identifier: Apache-2.0
import NavSync
import Testing

@Suite struct AcknowledgeTests {
    private let stamp = Stamp(time: HybridTime(milliseconds: 7), origin: NodeID(high: 1, low: 2))

    private func readBack(_ message: Acknowledge) throws -> Acknowledge {
        var cutter = FrameCutter()
        cutter.append(message.frame)
        guard let frame = try cutter.next(limit: 1 << 16), case .acknowledge(let read) = try Message(reading: frame)
        else { throw SyncError(code: .malformedMessage, reason: "no acknowledgement") }
        return read
    }

    @Test func everyFieldIsReadBackAloneAndTogether() throws {
        let plain = Acknowledge(request: RequestID(rawValue: 9), sequence: Sequence(rawValue: 300))
        let refused = Acknowledge.Refused(
            code: 40, sequence: Sequence(rawValue: 4), name: try StackName("a"), stamp: stamp, retryMilliseconds: 5)
        var whole = plain
        let changes: [(inout Acknowledge) -> Void] = [
            { _ in }, { $0.stamp = stamp }, { $0.isCursorVoid = true }, { $0.refused = [refused, refused] },
            { $0.mark = Mark(rawValue: .max) },
        ]
        for change in changes {
            var alone = plain
            change(&alone)
            change(&whole)
            #expect(try readBack(alone) == alone)
            #expect(try readBack(whole) == whole)
        }
    }
}
