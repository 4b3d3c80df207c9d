// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavClient
import NavSync
import Testing

@testable import navsyncd

/// A row that a disk has spoilt under a running daemon.
@Suite struct DamagedRowTests {
    private static let stackCount = 12

    /// Too large for the index, and together for what SQLite keeps in memory.
    private func text(_ number: Int) -> String {
        var generator = SeededGenerator(seed: UInt64(number + 1))
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-".utf8)
        let bytes = (0..<700_000).map { _ in letters[Int(generator.next() % 64)] }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Changes one byte of what is found in the database.
    private func spoil(_ envelope: [UInt8], in database: String) throws {
        let file = try FileHandle(forUpdating: URL(filePath: database))
        defer { try? file.close() }
        let data = try #require(try file.readToEnd())
        // The beginning lies in a page with those of others, which is held in memory. Some piece lies within one page.
        let found = stride(from: 60_000, to: 100_000, by: 1000).lazy
            .compactMap { data.range(of: Data(envelope[$0..<$0 + 64])) }.first
        let place = try #require(found, "the envelope is not in the database")
        try file.seek(toOffset: UInt64(place.lowerBound))
        try file.write(contentsOf: Data([data[place.lowerBound] ^ 1]))
    }

    @Test func endsTheDaemonAtTheReadThatMeetsItAndTheNextStartRebuildsTheStore() throws {
        let scratch = try Scratch()
        let first = try RunningDaemon(in: scratch.path)
        try first.awaitReady()
        for number in 0..<Self.stackCount { try first.push("large/\(number)", text(number)) }
        #expect(try first.stop() == .success)

        let second = try RunningDaemon(in: scratch.path)
        try second.awaitReady()
        try spoil(envelope(text(0)), in: scratch.file("state/stacks.sqlite"))
        // Nobody writes: the read alone says it, at once.
        let served = try? second.pull("large/0")
        #expect(served == nil)
        #expect(try second.awaitEnd() == .failure)
        #expect(second.count("msg=store_failed") == 1, "\(second.lines)")
        #expect(second.has("does not verify"))

        let third = try RunningDaemon(in: scratch.path)
        try third.awaitReady()
        #expect(third.has("msg=store_set_aside"))
        #expect(try third.pull("large/0") == nil)
        for number in 1..<Self.stackCount {
            #expect(try third.pull("large/\(number)") == envelope(text(number)))
        }
        #expect(try third.stop() == .success)
    }
}
