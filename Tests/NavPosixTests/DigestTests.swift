// SPDX-License-Identifier: Apache-2.0
import NavPosix
import Testing

@Suite struct DigestTests {
    @Test func sha256OfTheStandardsExamples() {
        #expect(SHA256Digest.hash([]).prefix(4) == [0xE3, 0xB0, 0xC4, 0x42])
        #expect(SHA256Digest.hash(Array("abc".utf8)).prefix(4) == [0xBA, 0x78, 0x16, 0xBF])
        #expect(SHA256Digest.hash(Array("abc".utf8)[...]).suffix(2) == [0x15, 0xAD])
    }

    @Test func wordsAreTheBytesOfTheHash() {
        for text in ["", "abc", String(repeating: "x", count: 1000)] {
            let words = SHA256Digest.words(Array(text.utf8))
            let bytes = [words.0, words.1, words.2, words.3].flatMap { word in
                stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
            }
            #expect(bytes == SHA256Digest.hash(Array(text.utf8)))
        }
    }

    @Test func randomBytesHaveTheAskedLengthAndDoNotRepeat() {
        #expect(SecureRandom.bytes(count: 0).isEmpty)
        #expect(SecureRandom.bytes(count: 33).count == 33)
        #expect(SecureRandom.bytes(count: 16) != SecureRandom.bytes(count: 16))
        #expect(SecureRandom.uint64() != SecureRandom.uint64())
    }
}
