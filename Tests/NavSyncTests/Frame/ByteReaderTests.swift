// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

@Suite struct ByteReaderTests {
    @Test(arguments: [0, 1, 127, 128, 300, 16_383, 16_384, 1 << 32, UInt64.max - 1, .max])
    func aVarintComesBack(_ value: UInt64) throws {
        var bytes: [UInt8] = []
        bytes.appendVarint(value)
        var reader = ByteReader(bytes)
        #expect(try reader.readVarint() == value)
        try reader.finish()
    }

    @Test(
        arguments: [
            [], [0x80], [0x80, 0x00], [0xFF, 0x00],
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02],
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x80, 0x01],
        ] as [[UInt8]])
    func refusesAVarint(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        #expect(throws: SyncError.malformed("")) { try reader.readVarint() }
    }

    @Test func aCountIsNeverMoreThanWhatRemains() {
        var bytes: [UInt8] = []
        bytes.appendVarint(.max)
        var reader = ByteReader(bytes)
        #expect(throws: SyncError.malformed("")) { try reader.readBytes() }
        reader = ByteReader([3, 1, 2])
        #expect(throws: SyncError.malformed("")) { try reader.readBytes() }
    }

    @Test func optionalFieldsAscend() {
        var reader = ByteReader([2, 0, 1, 0])
        #expect(throws: SyncError.malformed("")) { try reader.skipOptionalFields() }
        reader = ByteReader([1, 0, 1, 0])
        #expect(throws: SyncError.malformed("")) { try reader.skipOptionalFields() }
    }

    @Test func textIsUTF8() {
        var reader = ByteReader([2, 0xC0, 0x80])
        #expect(throws: SyncError.malformed("")) { try reader.readText() }
    }

    @Test func neverReadsBeyondItsRange() {
        let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9]
        var reader = ByteReader(bytes, in: 2..<6)
        #expect(throws: SyncError.malformed("")) { try reader.readUInt64() }
        #expect(reader.remaining == 4)
    }
}
