// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

@Suite struct RequestTests {
    private func error(_ messages: [Message]) -> ErrorMessage? {
        for case .error(let error) in messages { return error }
        return nil
    }

    @Test func aRemovedStackIsNotFound() {
        let driver = ReplicaDriver()
        let client = driver.openClient()
        driver.push("a", [1], on: client)
        driver.receive(Delete(request: RequestID(rawValue: 7), name: name("a")), on: client)
        #expect(driver.take(client).contains { if case .acknowledge = $0 { true } else { false } })
        #expect(driver.pull("a", on: client) == nil)
        driver.receive(Delete(request: RequestID(rawValue: 8), name: name("a")), on: client)
        #expect(error(driver.take(client))?.error.code == .notFound)
        #expect(driver.store.rows.count == 2)
    }

    @Test func recreateAfterDeleteAlwaysWinsWithAFrozenClock() {
        let driver = ReplicaDriver()
        let client = driver.openClient()
        for round in 0..<200 as Range<Int> {
            #expect(driver.push("a", [UInt8(round % 7)], on: client) != nil)
            #expect(driver.pull("a", on: client) != nil)
            driver.receive(Delete(request: RequestID(rawValue: 5), name: name("a")), on: client)
            #expect(driver.pull("a", on: client) == nil)
        }
    }

    @Test func expectationsAreCheckedAgainstWhatMergeSees() throws {
        let driver = ReplicaDriver()
        let client = driver.openClient()
        let first = try #require(driver.push("a", [1], on: client, expected: .absent))
        driver.receive(
            Push(request: RequestID(rawValue: 3), name: name("a"), envelope: [2], expected: .absent), on: client)
        let refused = try #require(error(driver.take(client)))
        #expect(refused.error.code == .staleBase)
        #expect(refused.current == first)
        let second = try #require(driver.push("a", [2], on: client, expected: .stamp(first)))
        driver.receive(
            Push(request: RequestID(rawValue: 4), name: name("a"), envelope: [3], expected: .stamp(first)), on: client)
        #expect(error(driver.take(client))?.current == second)
        // Two that expect the same stamp before either is committed: the second loses.
        driver.holdsCommits = true
        driver.push("a", [4], on: client, request: 10, expected: .stamp(second))
        driver.receive(
            Push(request: RequestID(rawValue: 11), name: name("a"), envelope: [5], expected: .stamp(second)),
            on: client)
        #expect(error(driver.take(client))?.error.code == .staleBase)
    }

    @Test func anInvalidRequestIsRefusedAndTheSessionGoesOn() throws {
        let driver = ReplicaDriver()
        let client = driver.openClient()
        driver.push("a", [1], on: client)
        var frame: [UInt8] = []
        frame.appendFrame(.push) { bytes in
            bytes.appendVarint(77)
            bytes.appendCounted([0x61, 0x00])
            bytes.appendCounted([1])
        }
        driver.receive(frame, on: client)
        let badName = try #require(error(driver.take(client)))
        #expect(badName.request.rawValue == 77)
        #expect(badName.error.code == .invalidName)
        driver.receive(Push(request: RequestID(rawValue: 78), name: name("a"), envelope: [0xFF]), on: client)
        #expect(error(driver.take(client))?.error.code == .invalidEnvelope)
        let huge = [UInt8](repeating: 1, count: (1 << 20) + 1)
        driver.receive(Push(request: RequestID(rawValue: 79), name: name("a"), envelope: huge), on: client)
        #expect(error(driver.take(client))?.error.code == .valueTooLarge)
        #expect(driver.closes[client] == nil)
        #expect(driver.pull("a", on: client)?.content == .envelope([1]))
    }

    @Test func aRefusedNewNameLeavesNoTrace() {
        let driver = ReplicaDriver()
        let client = driver.openClient()
        driver.push("new", [1], on: client, expected: .stamp(stamp(1, node(9))))
        driver.receive(Pull(request: RequestID(rawValue: 2), name: name("new")), on: client)
        #expect(error(driver.take(client))?.error.code == .notFound)
        #expect(driver.commits.isEmpty)
    }

    @Test func pagesAreInByteOrderAndWithoutTombstones() throws {
        let driver = ReplicaDriver()
        let client = driver.openClient()
        let names = (0..<50).map { "s/\(($0 * 37) % 50)" } + ["other", "s", "t", "é"]
        for name in names { driver.push(name, [1], on: client) }
        driver.receive(Delete(request: RequestID(rawValue: 1), name: name("s/7")), on: client)
        _ = driver.take(client)
        var found: [String] = []
        var after: [UInt8] = []
        var pages = 0
        while pages < 100 {
            pages += 1
            driver.receive(
                List(request: RequestID(rawValue: 5), prefix: Array("s/".utf8), after: after, limit: 7), on: client)
            guard case .listing(let listing)? = driver.take(client).first else { break }
            found += listing.items.map(\.name.description)
            after = listing.items.last?.name.bytes ?? []
            if !listing.hasMore { break }
        }
        let expected = names.filter { $0.hasPrefix("s/") && $0 != "s/7" }.sorted {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
        #expect(found == expected)
        #expect(pages == 7)
    }

    @Test func aLargeStackIsReadFromTheStore() {
        var limits = SyncLimits.default
        limits.recentEnvelopeByteCount = 0
        let driver = ReplicaDriver(configuration: ReplicaConfiguration(limits: limits))
        let client = driver.openClient()
        let large = [UInt8](repeating: 3, count: 100_000)
        driver.push("large", large, on: client)
        #expect(driver.pull("large", on: client)?.content == .envelope(large))
        driver.receive(Pull(request: RequestID(rawValue: 4), name: name("large"), withoutEnvelope: true), on: client)
        guard case .records(let records)? = driver.take(client).first else {
            Issue.record("no answer")
            return
        }
        #expect(records.items.first?.content == .omitted(byteCount: 100_000))
    }

    @Test func statusNamesWhatMatters() throws {
        let driver = ReplicaDriver(configuration: ReplicaConfiguration(targets: [PeerTarget(label: "tcp:b:1")]))
        driver.openPeer(node(2))
        let client = driver.openClient()
        driver.push("a", [1], on: client)
        driver.receive(Status(request: RequestID(rawValue: 6)), on: client)
        guard case .statusReport(let report)? = driver.take(client).first else {
            Issue.record("no report")
            return
        }
        let values = Dictionary(report.items.map { ($0.key, $0.value) }) { first, _ in first }
        #expect(values.count == report.items.count)
        #expect(values["node"] == node(1).text)
        #expect(values["store.stacks"] == "1")
        #expect(values["peer.0.state"] == "linked")
        #expect(values["target.0.address"] == "tcp:b:1")
        #expect(values["sessions.clients"] == "1")
    }
}
