// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Testing

@testable import NavWire

private let internedNames = Mutex<[String]>([])

@Suite struct MarkOrderTests {
    private static let marks = String(repeating: "\u{301}\u{327}", count: 64_000)

    /// Comparing them as they stand takes time that grows with the square of their length.
    @Test func keysOfManyMarksCostTheirLength() throws {
        for second in ["x", Self.marks + "a", "\u{F73}" + Self.marks, String(repeating: "\u{F73}", count: 64_000)] {
            let item = #"{"\#(Self.marks)":1,"\#(second)":2}"#
            let elements = try SwiftUIJSON.decode(Array(JSONEncoder().encode(["T.T", item])))
            #expect(try SwiftUIJSON.decode(SwiftUIJSON.encode(elements)) == elements)
            #expect(Set(elements).contains(elements[0]))
            guard case .json(.object(let object)) = elements[0].value else {
                Issue.record("no object")
                return
            }
            #expect(object.members.count == 2 && object["y"] == nil)
            let native = NativeNode.object(object.members.map { .init(key: $0.key, value: .null) })
            #expect(try native.jsonValue() != .null)
            #expect(Set([PathValue.verbatim(Self.marks)]).count == 1)
            let crossUI = Array(#"[{"\#(Self.marks)":"1","value":"2"}]"#.utf8)
            #expect(throws: NavWireError.self) { try PathJSON.decode(crossUI, form: .swiftCrossUI) }
            #expect(throws: NavWireError.self) { try PathJSON.decode(crossUI) }
            let tags = Array(#"["FoundationEssentials.A\#(Self.marks)","1"]"#.utf8)
            #expect(throws: NavWireError.self) { try SwiftUIJSON.decode(tags) }
            let flow = Array(#"[{"\#(Self.marks)":{}},"Si","1"]"#.utf8)
            #expect(try PathJSON.decode(flow).elements.count == 1)
        }
    }

    @Test func keysThatUnicodeCallsEqualAreStillOneKey() throws {
        let count = 500
        let (acute, cedilla) = (String(repeating: "\u{301}", count: count), String(repeating: "\u{327}", count: count))
        let twins = [
            "e" + acute + cedilla, "e" + cedilla + acute,
            "\u{E9}" + cedilla + String(repeating: "\u{301}", count: count - 1),
        ]
        let object = JSONObject(twins.enumerated().map { .init(key: $1, value: .number(JSONNumber($0))) })
        #expect(object.members.count == 1 && object.members.first?.key.utf8.elementsEqual(twins[0].utf8) == true)
        for twin in twins { #expect(object[twin] == .number(JSONNumber(0))) }
        let native = NativeNode.object(twins.map { .init(key: $0, value: .null) })
        #expect(try native.jsonValue() == .object(JSONObject([.init(key: twins[0], value: .null)])))
    }

    @Test func theOrderOfMarksKeepsWhatUnicodeCallsEqual() {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        let scalars: [Unicode.Scalar] = [
            "\u{301}", "\u{327}", "\u{344}", "\u{340}", "\u{F71}", "\u{F72}", "\u{F73}", "\u{F75}", "\u{F81}",
            "\u{308}",
            "\u{345}", "\u{1D165}",
        ]
        for round in 0..<300 {
            var text = "é".unicodeScalars
            for _ in 0..<Int.random(in: 60...150, using: &random) {
                text.append(scalars.randomElement(using: &random) ?? "a")
                if Int.random(in: 0..<60, using: &random) == 0 { text.append("a") }
            }
            let (plain, ordered) = (String(text), String(text).withMarksInOrder)
            #expect(
                plain == ordered && ordered.withMarksInOrder == plain,
                "seed \(seed), round \(round), \(plain.unicodeScalars.map { String($0.value, radix: 16) })")
        }
    }

    private enum Screen: Codable { case home(Int), search(text: String), settings }

    /// Two bytes, as the compiler's keys are for more than 256 cases.
    private enum ManyCases: CodingKey {
        case one, other(UInt8)
        static let names = ["one", "two", "three"]
        var stringValue: String {
            guard case .other(let place) = self else { return Self.names[0] }
            return Self.names[Int(place)]
        }
        var intValue: Int? { nil }
        init?(intValue: Int) { nil }
        init?(stringValue: String) {
            guard let place = Self.names.firstIndex(of: stringValue) else { return nil }
            self = place == 0 ? .one : .other(UInt8(place))
        }
    }

    private struct OfManyCases: Decodable {
        let keys: [ManyCases]
        init(from decoder: any Decoder) throws { keys = try decoder.container(keyedBy: ManyCases.self).allKeys }
    }

    /// The compiler's code asks for all keys, and compares each with the names of the cases.
    @Test(.timeLimit(.minutes(1))) func anEnumerationComparesSuchKeysInAMoment() throws {
        let start = ContinuousClock.now
        let content = NativeNode.object([])
        for node in [
            NativeNode.object([.init(key: "a" + Self.marks, value: content)]),
            .map([.init(key: "a" + Self.marks, value: content)]),
        ] {
            let value = try NativeValue(node)
            #expect(throws: DecodingError.self) { try value.decode(Screen.self) }
            #expect(try value.decode(OfManyCases.self).keys.isEmpty)
            // A key that keeps its text has the bytes that came.
            let names = try value.decode(Names.self).names
            #expect(names.count == 1 && names.first?.utf8.elementsEqual(("a" + Self.marks).utf8) == true)
        }
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    private struct Names: Decodable {
        var names: [String]
        init(from decoder: any Decoder) throws {
            names = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
        }
    }

    /// Plain old data that stands for a text.
    private struct InternedKey<ID: FixedWidthInteger & Sendable>: CodingKey {
        let id: ID
        let intValue: Int? = nil
        var stringValue: String { internedNames.withLock { $0[Int(id)] } }

        init?(intValue: Int) { nil }
        init?(stringValue: String) {
            id = internedNames.withLock { names in
                let known = names.firstIndex { $0.utf8.elementsEqual(stringValue.utf8) }
                if known == nil { names.append(stringValue) }
                return ID(known ?? names.count - 1)
            }
        }
    }

    private struct Interned<ID: FixedWidthInteger & Sendable>: Decodable {
        var members: [String: Int] = [:]
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: InternedKey<ID>.self)
            for key in container.allKeys { members[key.stringValue] = try container.decode(Int.self, forKey: key) }
        }
    }

    @Test func aKeyThatInternsItsTextFindsItsValue() throws {
        let key = "a" + String(repeating: "\u{301}\u{327}", count: 40)
        let members = [key, "b"].map { NativeNode.Member(key: $0, value: .integer(isNegative: false, magnitude: 7)) }
        for value in [try NativeValue(.object(members)), try NativeValue(.map(members))] {
            for found in [
                try value.decode(Interned<UInt8>.self).members, try value.decode(Interned<UInt16>.self).members,
                try value.decode(Interned<Int32>.self).members, try value.decode(Interned<Int>.self).members,
            ] {
                #expect(found == [key: 7, "b": 7])
                #expect(found.keys.contains { $0.utf8.elementsEqual(key.utf8) })
            }
        }
    }

    @Test func aCaseIsFoundByAKeyThatUnicodeCallsEqual() throws {
        enum Marked: String, CodingKey { case row = "e\u{327}\u{301}" }
        struct Keys: Decodable {
            var keys: [Marked]
            init(from decoder: any Decoder) throws { keys = try decoder.container(keyedBy: Marked.self).allKeys }
        }
        let value = try NativeValue(.map([.init(key: "e\u{301}\u{327}", value: .null)]))
        #expect(try value.decode(Keys.self).keys == [.row])
    }

    /// Foundation compares an identifier with all that it knows.
    @Test(.timeLimit(.minutes(1))) func identifiersOfManyMarksAreRefused() throws {
        let text = "a" + Self.marks
        let zone = NativeNode.object([.init(key: "identifier", value: .string(text))])
        let calendar = #"{"identifier":"\#(text)","timeZone":{"identifier":"GMT"},"firstWeekday":1,"#
        let elements = [
            PathElement(tag: "Foundation.TimeZone", value: .native(try NativeValue(zone))),
            PathElement(tag: "Swift.Array<Foundation.Locale>", value: .native(try NativeValue(.array([zone])))),
            try PathElement(
                checkingTag: "Foundation.Calendar", item: calendar + #""minimumDaysInFirstWeek":1}"#),
            try PathElement(checkingTag: "Foundation.DateComponents", item: #"{"calendar":{"identifier":"\#(text)"}}"#),
        ]
        let start = ContinuousClock.now
        var path = NavigationPath(elements)
        let issues = path.resolve(using: .standard)
        #expect(issues.map(\.code) == Array(repeating: .notDecodable, count: 4) && path.count == 4)
        #expect(issues.allSatisfy { $0.reason.contains("a row of more than 64 combining marks") })
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    /// That holds for the type, whatever its name, and for what holds it.
    @Test func identifiersOfManyMarksAreRefusedUnderEachName() throws {
        var registry = RouteRegistry()
        try registry.register(Calendar.self, as: "cal")
        try registry.register(Locale.self, redaction: .whenShown)
        try registry.register([TimeZone].self)
        try registry.register([TimeZone: Int?].self, as: "zones")
        let identifier = #""identifier":"a\#(String(repeating: "\u{301}\u{327}", count: 500))""#
        let calendar = #"{\#(identifier),"timeZone":{"identifier":"GMT"},"firstWeekday":1,"minimumDaysInFirstWeek":1}"#
        let elements = [
            try PathElement(checkingTag: "cal", item: calendar),
            try PathElement(checkingTag: "Swift.Optional<cal>", item: calendar),
            try PathElement(checkingTag: "Foundation.Locale", item: "{\(identifier)}"),
            try PathElement(checkingTag: "Swift.Array<Foundation.TimeZone>", item: "[{\(identifier)}]"),
            try PathElement(checkingTag: "Swift.Array<Swift.Array<Foundation.TimeZone>>", item: "[[{\(identifier)}]]"),
            try PathElement(checkingTag: "zones", item: "[{\(identifier)},1]"),
        ]
        var path = NavigationPath(elements)
        let issues = path.resolve(using: registry)
        #expect(issues.map(\.code) == Array(repeating: .notDecodable, count: elements.count))
        #expect(issues.allSatisfy { $0.reason.contains("combining marks") || $0.reason.hasSuffix("tooLarge") })
    }

    @Test(.timeLimit(.minutes(1))) func elementsWithSuchKeysAreResolvedInAMoment() throws {
        let marks = String(repeating: "\u{301}\u{327}", count: 32_000)
        let item = #"{"identifier":"GMT","a\#(marks)":0}"#
        let element = try PathElement(checkingTag: "Foundation.TimeZone", item: item)
        let start = ContinuousClock.now
        var path = NavigationPath([element])
        #expect(path.resolve(using: .standard).isEmpty)
        #expect(path.valueType(at: 0) == TimeZone.self)
        #expect(ContinuousClock.now - start < .seconds(5))
    }
}
