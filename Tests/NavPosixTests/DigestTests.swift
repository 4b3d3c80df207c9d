// SPDX-License-Identifier: Apache-2.0
import NavPosix
import Testing

@Suite struct DigestTests {
    @Test func sha256OfTheStandardsExamples() {
        #expect(SHA256Digest.hash([]).prefix(4) == [0xE3, 0xB0, 0xC4, 0x42])
        #expect(SHA256Digest.hash(Array("abc".utf8)).prefix(4) == [0xBA, 0x78, 0x16, 0xBF])
        #expect(SHA256Digest.hash(Array("abc".utf8)[...]).suffix(2) == [0x15, 0xAD])
    }

    @Test func randomBytesHaveTheAskedLengthAndDoNotRepeat() {
        #expect(SecureRandom.bytes(count: 0).isEmpty)
        #expect(SecureRandom.bytes(count: 33).count == 33)
        #expect(SecureRandom.bytes(count: 16) != SecureRandom.bytes(count: 16))
        #expect(SecureRandom.uint64() != SecureRandom.uint64())
    }
}
