// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavWire
import Testing

@Suite struct NavigationPathTests {
    private func appendHidingCodable<T: Hashable>(_ value: T, to path: inout NavigationPath) { path.append(value) }

    @Test func anEmptyPathHasNothingAndIsSavedAsAnEmptyArray() throws {
        let path = NavigationPath()
        #expect(path.isEmpty && path.count == 0)
        #expect(try Coders.text(#require(path.codable)) == "[]")
        #expect(try decodedPath("[]") == path)
    }

    @Test func itIsSavedTopFirstAsSwiftUIWritesIt() throws {
        var path = NavigationPath()
        path.append(7)
        path.append("two")
        path.append(3.5)
        #expect(try Coders.text(path.codable) == #"["Swift.Double","3.5","Swift.String","\"two\"","Swift.Int","7"]"#)
    }

    @Test func sequencesKeepTheirOrderAndCodability() throws {
        #expect(try Coders.text(NavigationPath([1, 2]).codable) == #"["Swift.Int","2","Swift.Int","1"]"#)
        func hashableOnly<S: Sequence>(_ elements: S) -> NavigationPath where S.Element: Hashable {
            NavigationPath(elements)
        }
        #expect(hashableOnly([1, 2]).codable == nil)
        #expect(hashableOnly([1, 2]).count == 2)
    }

    @Test func codabilityIsCapturedByTheOverloadAndTheElementAtFaultIsNamed() throws {
        var path = NavigationPath()
        appendHidingCodable(3, to: &path)
        path.append(4)
        #expect(path.codable == nil)
        #expect(path.codabilityIssue == issue(.notCodable, 0, "Swift.Int"))
        #expect("\(try #require(path.codabilityIssue))".contains("element 0 (Swift.Int)"))
        path.append(AnyHashable(5))
        path.removeLast(3)
        path.append(4)
        #expect(path.codabilityIssue == nil)
        path.append(AnyHashable(5))
        #expect(path.codabilityIssue?.index == 1)
    }

    @Test func aTagIsTheStaticTypeOfTheAppend() throws {
        var path = NavigationPath()
        path.append(App.Dog() as App.Animal)
        path.append(App.Generic(value: [UUID()]))
        #expect(
            try #require(path.codable).elements().map(\.tag) == [
                "\(module).App.Animal", "\(module).App.Generic<Swift.Array<Foundation.UUID>>",
            ])
    }

    @Test func equalityIsByTypeAndValue() {
        #expect(NavigationPath([1]) == NavigationPath([1]))
        #expect(NavigationPath([1]) != NavigationPath([1.0]))
        #expect(NavigationPath([1]) != NavigationPath([1 as UInt8]))
        #expect(NavigationPath([1]) != NavigationPath([Optional(1)]))
        #expect(NavigationPath([[1]]) != NavigationPath([[1.0]]))
        #expect(NavigationPath([1]) != NavigationPath([1, 1]))
        #expect(NavigationPath([1]) != NavigationPath([AnyHashable(1)]))
        #expect(NavigationPath([Int?.none]) == NavigationPath([Int?.none]))
    }

    @Test func aDecodedPathDiffersFromItsOriginAndIsEquivalentToIt() throws {
        let path = NavigationPath([App.User(id: 1, name: "Blob"), App.User(id: 2, name: "é")])
        let representation = try #require(path.codable)
        let bytes = try Coders.encoder.encode(representation)
        let decoded = try Coders.decoder.decode(NavigationPath.CodableRepresentation.self, from: bytes)
        #expect(decoded != representation)
        #expect(NavigationPath(decoded) != path)
        #expect(NavigationPath(decoded) == NavigationPath(decoded))
        #expect(try decoded == Coders.decoder.decode(NavigationPath.CodableRepresentation.self, from: bytes))
        #expect(NavigationPath(decoded).isEquivalent(to: path))
        #expect(path.isEquivalent(to: path))
        #expect(!path.isEquivalent(to: NavigationPath([App.User(id: 1, name: "Blob")])))
        #expect(!NavigationPath([1]).isEquivalent(to: NavigationPath([2])))
        var resolved = NavigationPath(decoded)
        var registry = RouteRegistry()
        try registry.register(App.User.self)
        let issues1 = resolved.resolve(using: registry)
        #expect(issues1.isEmpty)
        #expect(resolved == path)
    }

    @Test func aRepresentationIsAValue() throws {
        var path = NavigationPath([1])
        let representation = try #require(path.codable)
        path.append(2)
        path.removeLast(2)
        #expect(try Coders.text(representation) == #"["Swift.Int","1"]"#)
    }

    @Test func removeLastAllowsNothingAndAll() {
        var path = NavigationPath([1, 2, 3])
        path.removeLast(0)
        #expect(path.count == 3)
        path.removeLast()
        #expect(path == NavigationPath([1, 2]))
        path.removeLast(2)
        #expect(path.isEmpty)
        path.removeLast(0)
    }

    @Test func removingMoreThanThereIsTraps() async {
        await #expect(processExitsWith: .failure) {
            var path = NavigationPath([1])
            path.removeLast(2)
        }
        await #expect(processExitsWith: .failure) {
            var path = NavigationPath([1])
            path.removeLast(-1)
        }
    }

    @Test func aBurstOfPopsEndsEmptyAndIsCounted() {
        var path = NavigationPath(0..<10)
        let rejected = (0..<12).count { _ in !path.tryRemoveLast() }
        #expect(path.isEmpty && rejected == 2)
        let removed = path.tryRemoveLast(-1)
        #expect(!removed)
    }

    @Test func replacingKeepsTheOthersAndChecksThePlace() throws {
        var path = NavigationPath([1, 2, 3])
        try path.replace(at: 1, with: "x")
        #expect(try Coders.text(path.codable) == #"["Swift.Int","3","Swift.String","\"x\"","Swift.Int","1"]"#)
        #expect(throws: NavWireError(code: .noSuchElement, reason: "")) { try path.replace(at: 3, with: 1) }
        #expect(throws: NavWireError(code: .noSuchElement, reason: "")) { try path.replace(at: -1, with: 1) }
        try path.replace(at: 0, with: App.Volatile())
        #expect(path.codabilityIssue?.index == 0)
    }

    @Test func poppingToAMissingValueIsRefusedAndChangesNothing() throws {
        var path = NavigationPath([1])
        #expect(throws: NavWireError(code: .noSuchElement, reason: "")) { try path.pop(to: 99) }
        #expect(path == NavigationPath([1]))
        path.append("a")
        path.append(1.0)
        try path.pop(to: 1)
        #expect(path == NavigationPath([1]))
    }

    @Test func itsBytesAreAStringThatASceneStoreCanHold() throws {
        let bytes = try Coders.encoder.encode(NavigationPath([UUID(), UUID()]).codable)
        #expect(String(validating: bytes, as: UTF8.self) != nil && bytes.count < 4096)
    }

    @Test func userInfoReachesTheItemsCoder() throws {
        struct Versioned: Codable, Hashable {
            static let key = CodingUserInfoKey(rawValue: "v")
            var seen: Int
            init() { seen = 0 }
            init(from decoder: any Decoder) throws {
                seen = Self.key.flatMap { decoder.userInfo[$0] as? Int } ?? -1
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(Self.key.flatMap { encoder.userInfo[$0] as? Int } ?? -1)
            }
        }
        let key = try #require(Versioned.key)
        let encoder = Coders.encoder
        encoder.userInfo = [key: 2]
        var path = NavigationPath()
        path.append(Versioned())
        let text = String(decoding: try encoder.encode(path.codable), as: UTF8.self)
        #expect(text.hasSuffix(#","2"]"#))
        var registry = RouteRegistry()
        try registry.register(Versioned.self, as: "Versioned")
        var decoded = try decodedPath(#"["Versioned","0"]"#)
        let issues2 = decoded.resolve(using: registry, userInfo: [key: 7])
        #expect(issues2.isEmpty)
        #expect((decoded.inspection().last?.value as? Versioned)?.seen == 7)
    }
}
