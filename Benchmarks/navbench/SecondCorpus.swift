// SPDX-License-Identifier: Apache-2.0
import Foundation

// Types and words that have nothing to do with the first corpus: what only that one reached would show here.

struct Waypoint: Codable, Hashable, Sendable {
    var latitude: Double
    var longitude: Double
    var elevation: Float?
    var reachedAt: Date?
}

struct Hike: Codable, Hashable, Sendable {
    var trailName: String
    var difficulty: Grade
    var waypoints: [Waypoint]
    var companions: Set<String>
    var lengthInMetres: UInt32
    enum Grade: Int, Codable, Hashable, Sendable { case easy = 1, moderate, hard, alpine }
}

indirect enum Library: Codable, Hashable, Sendable {
    case shelf(number: Int16)
    case volume(isbn: String, page: UInt?)
    case excerpt(of: Library, from: Int, to: Int)
    case wishlist
}

struct Ticket: Codable, Hashable, Sendable {
    var reference: UInt64
    var assignee: String?
    var labels: [String]
    var estimates: [Int]
    var isBlocked: Bool
    var parentTicket: UInt64?
}

enum SecondCorpus {
    private static let names = [
        "Ridge", "Kestrel", "Old Mill", "Höhenweg", "Cascade", "Lighthouse", "Sentier du Lac", "Quarry", "Moor",
        "Fjell",
    ]
    private static let people = ["Ada", "Bjarne", "Chidi", "Dolores", "Emre", "Fumiko", "Greta", "Hassan"]
    private static let labels = ["regression", "ui", "needs-design", "customer", "backend", "flaky", "p1"]

    static func random(_ random: inout SplitMix) -> Elem {
        func below(_ bound: UInt64) -> Int { Int(random.next() % bound) }
        switch below(4) {
        case 0:
            let waypoints = (0..<below(4)).map { _ in
                Waypoint(
                    latitude: Double(below(18_000_000) - 9_000_000) / 100_000,
                    longitude: Double(below(36_000_000) - 18_000_000) / 100_000,
                    elevation: below(2) == 0 ? nil : Float(below(3000)),
                    reachedAt: below(3) == 0 ? Date(timeIntervalSinceReferenceDate: Double(below(900_000_000))) : nil)
            }
            return Hike(
                trailName: names[below(10)] + " " + names[below(10)],
                difficulty: .init(rawValue: 1 + below(4)) ?? .easy,
                waypoints: waypoints, companions: Set((0..<below(3)).map { _ in people[below(8)] }),
                lengthInMetres: UInt32(below(40_000)))
        case 1: return library(&random)
        case 2:
            return Ticket(
                reference: random.next() >> 40, assignee: below(2) == 0 ? people[below(8)] : nil,
                labels: (0..<below(3)).map { _ in labels[below(7)] }, estimates: (0..<below(6)).map { _ in below(500) },
                isBlocked: below(4) == 0, parentTicket: below(3) == 0 ? random.next() >> 40 : nil)
        default: return "Section \(below(500))"
        }
    }

    private static func library(_ random: inout SplitMix) -> Library {
        switch random.next() % 4 {
        case 0: .shelf(number: Int16(truncatingIfNeeded: random.next() % 900))
        case 1:
            .volume(
                isbn: "978-\(random.next() % 10_000_000_000)",
                page: random.next() & 1 == 0 ? nil : UInt(random.next() % 900))
        case 2: .excerpt(of: .shelf(number: 3), from: Int(random.next() % 100), to: 100 + Int(random.next() % 100))
        default: .wishlist
        }
    }

    static let paths: [Path] = {
        var source = SplitMix(77)
        return (0..<64).map { _ in Path((0..<(2 + source.next() % 8)).map { _ in random(&source) }) }
    }()
}
