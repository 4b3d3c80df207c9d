// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

@Suite struct FrameCutterTests {
    private struct Cut: Equatable {
        let type: UInt8
        let payload: [UInt8]
    }

    private func cutAll(_ cutter: inout FrameCutter, limit: Int = 64) throws -> [Cut] {
        var cuts: [Cut] = []
        while let frame = try cutter.next(limit: limit) {
            var reader = frame.payload
            var payload: [UInt8] = []
            while reader.remaining > 0 { payload.append(try reader.readByte()) }
            cuts.append(Cut(type: frame.type, payload: payload))
        }
        return cuts
    }

    @Test func anySplitGivesTheSameFrames() throws {
        let bytes: [UInt8] = [0, 0, 0, 2, 7, 0xAB, 0xCD, 0, 0, 0, 0, 9, 0, 0, 0, 1, 3, 5]
        let expected = [Cut(type: 7, payload: [0xAB, 0xCD]), Cut(type: 9, payload: []), Cut(type: 3, payload: [5])]
        for first in 0...bytes.count {
            for second in first...bytes.count {
                var cutter = FrameCutter()
                var cuts: [Cut] = []
                for part in [bytes[..<first], bytes[first..<second], bytes[second...]] {
                    cutter.append(part)
                    cuts += try cutAll(&cutter)
                    cutter.settle()
                }
                #expect(cuts == expected)
                #expect(cutter.bufferedByteCount == 0)
            }
        }
    }

    @Test func aDripOfSingleBytesGivesTheSameFrames() throws {
        var generator = SeededGenerator(seed: 3)
        var bytes: [UInt8] = []
        for message in (0..<50 as Range<UInt64>).map({ Status(request: RequestID(rawValue: $0 &* 997)) }) {
            message.write(to: &bytes)
            bytes.appendFrame(.pull) { $0.append(UInt8.random(in: 0...255, using: &generator)) }
        }
        var whole = FrameCutter()
        whole.append(bytes)
        let expected = try cutAll(&whole)
        var dripped = FrameCutter()
        var cuts: [Cut] = []
        for byte in bytes {
            dripped.append([byte])
            cuts += try cutAll(&dripped)
        }
        #expect(cuts == expected)
        #expect(cuts.count == 100)
    }

    @Test func refusesAnOversizedFrameFromItsLengthAlone() {
        var cutter = FrameCutter()
        cutter.append([0, 0, 0, 65])
        #expect(throws: SyncError.frameTooLarge(65, limit: 64)) { try cutter.next(limit: 64) }
    }

    @Test func aLengthOfFourGibibytesReservesNothing() {
        var cutter = FrameCutter()
        cutter.append([0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3])
        #expect(throws: SyncError.frameTooLarge(0, limit: 0)) { try cutter.next(limit: 1 << 20) }
        #expect(cutter.bufferedByteCount == 0)
    }

    @Test func yieldsNothingMoreAfterAnError() throws {
        var cutter = FrameCutter()
        cutter.append([0, 0, 1, 0])
        #expect(throws: SyncError.self) { try cutter.next(limit: 64) }
        cutter.append([0, 0, 0, 0, 9])
        #expect(try cutter.next(limit: 64) == nil)
    }

    @Test func theLimitItselfIsAllowed() throws {
        var cutter = FrameCutter()
        cutter.append([0, 0, 0, 4, 1, 1, 2, 3, 4])
        #expect(try cutAll(&cutter, limit: 4).count == 1)
    }
}
