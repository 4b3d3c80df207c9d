// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavWire
import Testing

@Suite struct PathEncodingTests {
    private func pathWithAnEmptyElement() -> NavigationPath {
        var path = NavigationPath([1])
        path.append(App.Empty())
        path.append(2)
        return path
    }

    @Test func anElementThatEncodesNothingIsNamed() throws {
        let path = pathWithAnEmptyElement()
        let error = try #require(throws: EncodingError.self) { try Coders.encoder.encode(path.codable) }
        guard case .invalidValue(_, let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.debugDescription.contains("element 1 (\(module).App.Empty)"))
        #expect(context.codingPath.last?.intValue == 1)
        #expect(throws: issue(.notEncodable, 1, "\(module).App.Empty")) { try path.elements() }
    }

    @Test func theOthersCanStillBeSaved() throws {
        let skipped = try pathWithAnEmptyElement().elements(policy: .skip)
        #expect(skipped.elements.count == 2 && skipped.issues.map(\.index) == [1])
        #expect(try pathWithAnEmptyElement().elements(policy: .keepPrefix).elements.count == 1)
    }

    @Test func aPathIsSavedAsFarAsAllBelowCanBe() throws {
        var path = NavigationPath([1])
        path.append(App.Volatile())
        path.append(3)
        let saved = try path.elements(policy: .keepPrefix)
        #expect(saved.elements.map(\.tag) == ["Swift.Int"])
        #expect(saved.issues == [issue(.notCodable, 1, "\(module).App.Volatile")])
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func whatJSONCannotHoldIsNamed(_ value: Double) throws {
        let path = NavigationPath([value])
        let error = try #require(throws: EncodingError.self) { try Coders.encoder.encode(path.codable) }
        #expect("\(error)".contains("element 0 (Swift.Double)"))
        // The compact form holds it.
        let envelope = try #require(path.codable).envelope()
        var decoded = NavigationPath(try NavigationPath.CodableRepresentation(envelope: envelope))
        let issues = decoded.resolve(using: .standard)
        #expect(issues.isEmpty)
        #expect((decoded.value(at: 0) as? Double)?.bitPattern == value.bitPattern)
        let refused = try #require(throws: NavWireError.self) { try SwiftUIJSON.encode(PathEnvelope.decode(envelope)) }
        #expect(refused.code == .notRepresentable && refused.reason.contains("element 0 (Swift.Double)"))
    }

    @Test func theCompactFormHoldsTheSamePath() throws {
        var path = NavigationPath([App.User(id: 1, name: "Blob")])
        path.append(UUID())
        path.append(Date(timeIntervalSinceReferenceDate: 0.1))
        path.append([1.5, -0.0])
        path.append(UInt64.max)
        path.append(Int?.none)
        let envelope = try #require(path.codable).envelope()
        var registry = RouteRegistry()
        try registry.register(App.User.self)
        var decoded = NavigationPath(try NavigationPath.CodableRepresentation(envelope: envelope))
        #expect(decoded.isEquivalent(to: path, using: registry))
        #expect(try PathEnvelope.decode(envelope).map(\.tag) == path.elements().elements.map(\.tag))
        let issues = decoded.resolve(using: registry)
        #expect(issues.isEmpty)
        #expect(decoded == path)
        #expect(throws: NavWireError.self) {
            try NavigationPath.CodableRepresentation(envelope: Array(envelope.dropLast()))
        }
    }

    @Test func anOversizedElementIsNamed() throws {
        var limits = NavWireLimits()
        limits.maximumElementByteCount = 64 << 10
        var path = NavigationPath([1])
        path.append(String(repeating: "x", count: 2 << 20))
        #expect(throws: issue(.notEncodable, 1, "Swift.String")) { try path.elements(limits: limits) }
    }

    @Test func lookingChangesNothing() throws {
        var path = NavigationPath([1])
        path.append("x")
        let before = path
        let shown = path.inspection()
        #expect(shown.last?.tag == "Swift.String" && shown.last?.value as? String == "x")
        #expect(shown.map(\.description) == ["Swift.Int 1", #"Swift.String "x""#])
        #expect(path == before)
        #expect(
            NavigationPath([App.Park("Z")]).inspection().map(\.description) == [
                "\(module).App.Park {\"name\":\"Z\"}"
            ])
    }

    @Test func randomPathsRoundTrip() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        var registry = RouteRegistry()
        try registry.register(App.User.self)
        try registry.register(App.Screen.self)
        for round in 0..<200 {
            var path = NavigationPath()
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                switch Int.random(in: 0..<6, using: &random) {
                case 0: path.append(Int.random(in: .min ... .max, using: &random))
                case 1: path.append(Double(bitPattern: random.next() & 0xBFFF_FFFF_FFFF_FFFF))
                case 2: path.append(App.User(id: Int.random(in: -9...9, using: &random), name: random.text()))
                case 3: path.append(App.Screen.article(random.text()))
                case 4: path.append(random.text())
                default: path.append([UInt64(random.next()): random.text()].keys.map { $0 })
                }
            }
            let bytes = try Coders.encoder.encode(path.codable)
            var decoded = NavigationPath(
                try Coders.decoder.decode(NavigationPath.CodableRepresentation.self, from: bytes))
            #expect(decoded.isEquivalent(to: path, using: registry), "seed \(seed), round \(round)")
            let issues1 = decoded.resolve(using: registry)
            #expect(issues1.isEmpty, "seed \(seed), round \(round)")
            #expect(decoded == path, "seed \(seed), round \(round)")
        }
    }
}

/// SplitMix64: a run is repeated from its seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A few scalars from the corners of Unicode and of JSON.
    mutating func text() -> String {
        let scalars = Array("a\"\\/\n\t\0\u{1F}é\u{301}未🎈\u{2028}\u{FFFF}".unicodeScalars)
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...6, using: &self) { text.append(scalars.randomElement(using: &self) ?? "x") }
        return String(text)
    }
}
