// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import NavWire

/// Members that are asked for in another order than that in which they were written.
@Suite struct MemberOrderTests {
    /// A keyed container as an object, or as a dictionary.
    enum Form: CaseIterable { case object, map }

    private static func key(_ number: Int) -> AnyKey { AnyKey(stringLiteral: "k\(number)") }

    /// The values 0, 1, 2 and so on under keys of their own.
    private static func envelope(_ form: Form, count: Int) throws -> [UInt8] {
        switch form {
        case .map:
            return try NavWireEncoder()
                .encode(Dictionary(uniqueKeysWithValues: (0..<count).map { (key($0).stringValue, $0) }))
        case .object:
            return try NavWireEncoder()
                .encode(
                    Writes { encoder in
                        var container = encoder.container(keyedBy: AnyKey.self)
                        for number in 0..<count { try container.encode(number, forKey: key(number)) }
                    })
        }
    }

    /// How many members the decoder went over during `use`.
    private func steps(_ envelope: [UInt8], _ use: (WireDecoder) throws -> Void) throws -> Int {
        let state = UnsafeMutablePointer<DecoderState>.allocate(capacity: 1)
        unsafe state.initialize(to: DecoderState())
        unsafe try state.pointee.open(envelope, limits: .default, dictionary: nil)
        try use(unsafe state.root)
        let steps = unsafe state.pointee.members.steps
        unsafe state.pointee.end()
        #expect(unsafe !state.pointee.members.isUsed)
        return steps
    }

    private static let count = 20_000
    /// Going through all members for each would be a hundred times as many.
    private static let allowed = 100 * count

    @Test(arguments: Form.allCases) func theyAreFoundInReverse(_ form: Form) throws {
        let steps = try steps(Self.envelope(form, count: Self.count)) { root in
            let container = try root.container(keyedBy: AnyKey.self)
            for number in (0..<Self.count).reversed() {
                guard try container.decode(Int.self, forKey: Self.key(number)) == number else {
                    Issue.record("\(number) is another's")
                    return
                }
            }
        }
        #expect(steps > Self.count)
        #expect(steps < Self.allowed)
    }

    @Test(arguments: Form.allCases) func thoseThatAreMissingAreMissedQuickly(_ form: Form) throws {
        let steps = try steps(Self.envelope(form, count: Self.count)) { root in
            let container = try root.container(keyedBy: AnyKey.self)
            for number in 0..<Self.count where container.contains(Self.key(-1 - number)) {
                Issue.record("\(number) was never written")
            }
        }
        #expect(steps < Self.allowed)
    }

    @Test(arguments: Form.allCases) func errorsInReverseAreToldQuickly(_ form: Form) throws {
        let steps = try steps(Self.envelope(form, count: Self.count)) { root in
            let container = try root.container(keyedBy: AnyKey.self)
            for number in (0..<Self.count).reversed() {
                do {
                    _ = try container.decode(String.self, forKey: Self.key(number))
                    Issue.record("a number is no string")
                } catch DecodingError.typeMismatch(_, let context) {
                    guard context.codingPath.map(\.stringValue) == [Self.key(number).stringValue] else {
                        Issue.record("\(number) is told as \(context.codingPath)")
                        return
                    }
                }
            }
        }
        #expect(steps < Self.allowed)
    }

    /// Several at once, so that none is forgotten for another.
    @Test(arguments: Form.allCases) func containersCanBeReadByTurns(_ form: Form) throws {
        let half = Self.count / 2
        let one = try NativeValue(payload: PathEnvelope.anyPayload(of: Self.envelope(form, count: half))).node()
        let envelope = try RawEnvelope.stored(NativeValue(.array([one, one])).payload)
        let steps = try steps(envelope) { root in
            var items = try root.unkeyedContainer()
            let containers = try (0..<2).map { _ in try items.nestedContainer(keyedBy: AnyKey.self) }
            for number in (0..<half).reversed() {
                for container in containers
                where try container.decode(Int.self, forKey: Self.key(number)) != number {
                    Issue.record("\(number) is another's")
                    return
                }
            }
        }
        #expect(steps < Self.allowed)
    }

    private static let ends = NavWireKeys("k0", "k19999", "missing")

    @Test func typesThatReadThemselvesFindThemToo() throws {
        let steps = try steps(Self.envelope(.object, count: Self.count)) { root in
            var object = try NavWireReader(root).object(Self.ends)
            for _ in 0..<Self.count / 2 {
                let found = (try object.read(1).int(), try object.read(0).int(), try object.readIfPresent(2) == nil)
                guard found == (Self.count - 1, 0, true) else {
                    Issue.record("found \(found)")
                    return
                }
            }
        }
        #expect(steps < Self.allowed)
    }

    @Test(arguments: Form.allCases, [1, 2, 64, 65, 66, 200]) func anyOrderWillDo(_ form: Form, _ count: Int) throws {
        var random = RandomContent(seed: UInt64(count))
        let envelope = try Self.envelope(form, count: count)
        _ = try NavWireDecoder()
            .decode(Reads<Bool>.self, from: envelope) { decoder in
                let container = try decoder.container(keyedBy: AnyKey.self)
                for _ in 0..<4 * count {
                    let number = random.below(count + 3)
                    let isThere = number < count
                    #expect(container.contains(Self.key(number)) == isThere, "\(number)")
                    let found = try container.decodeIfPresent(Int.self, forKey: Self.key(number))
                    #expect(found == (isThere ? number : nil))
                    guard isThere, number & 3 == 0 else { continue }
                    #expect(try Int(from: container.superDecoder(forKey: Self.key(number))) == number)
                }
                return true
            }
    }
}
