// SPDX-License-Identifier: Apache-2.0
import NavTestSupport
import Testing

@testable import NavSync

@Suite struct SessionTableTests {
    private func session(_ number: UInt64) -> Session {
        Session(
            id: SessionID(rawValue: number), origin: .accepted(.unix, nil), access: .client(.writer), openedAt: 0)
    }

    @Test(arguments: SessionQueueKind.allCases) func aQueueKeepsItsOrderAndHoldsEachSessionOnce(kind: SessionQueueKind)
    {
        var table = SessionTable()
        let places = (1...3).map { table.insert(session($0)) }
        for place in [places[2], places[0], places[2], places[1], places[0]] { table[kind].insert(place) }
        #expect(table[kind].places == [places[2], places[0], places[1]])
        table[kind].remove(places[0])
        #expect(!table[kind].contains(places[0]) && table[kind].contains(places[1]))
        #expect(table[kind].removeAll() == [places[2], places[1]])
        #expect(table[kind].isEmpty && places.allSatisfy { !table[kind].contains($0) })
    }

    @Test func whoEndsLeavesEveryQueueAndWhoTakesThePlaceIsInNone() {
        var table = SessionTable()
        let (first, second) = (table.insert(session(1)), table.insert(session(2)))
        for kind in SessionQueueKind.allCases {
            table[kind].insert(first)
            table[kind].insert(second)
        }
        #expect(table.remove(first).id == SessionID(rawValue: 1))
        #expect(SessionQueueKind.allCases.allSatisfy { table[$0].places == [second] })
        #expect(table.insert(session(3)) == first)
        #expect(SessionQueueKind.allCases.allSatisfy { !table[$0].contains(first) })
    }

    @Test func aHandleIsGoodForItsSessionAloneAndNotForItsPlace() {
        var table = SessionTable()
        let place = table.insert(session(1))
        let handle = SessionHandle(place: place, id: SessionID(rawValue: 1))
        #expect(table.isOpen(handle))
        _ = table.remove(place)
        #expect(!table.isOpen(handle))
        _ = table.insert(session(2))
        #expect(!table.isOpen(handle))
    }
}
