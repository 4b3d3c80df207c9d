// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import NavWire

/// A URL that has a base is exported by the format's own rule, which is what this system's Foundation writes.
@Suite struct URLWithBaseTests {
    static let seed = UInt64.random(in: .min ... .max)

    private func exported(_ relative: String, _ base: String) throws -> JSONValue {
        try NativeNode.url(relative, base: base).jsonValue()
    }

    private func expect(_ relative: String, _ base: String, _ joined: String) throws {
        #expect(try exported(relative, base) == .string(joined), "\(relative) and \(base)")
    }

    @Test func examplesOfTheStandard() throws {
        for (relative, joined) in [
            ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), (";x", "http://a/b/c/;x"),
            ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("..", "http://a/b/"), ("../..", "http://a/"),
            ("../../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
            ("..g", "http://a/b/c/..g"), ("./g/.", "http://a/b/c/g/"), ("g/../h", "http://a/b/c/h"),
            ("g;x=1/../y", "http://a/b/c/y"), ("g?y/../x", "http://a/b/c/g?y/../x"), ("http:g", "http:g"),
        ] { try expect(relative, "http://a/b/c/d;p?q", joined) }
    }

    /// No URL is made from an empty text, so such a base could not be read.
    @Test func aBaseWithoutTextIsNone() throws {
        let base = try #require(URL(string: ".", relativeTo: URL(string: "a")))
        #expect(base.absoluteString.isEmpty)
        let url = try #require(URL(string: "x", relativeTo: base))
        let payload = try NativeValue(encoding: url).payload
        #expect(payload == (try NativeValue(encoding: URL(string: "x")).payload))
        #expect(try NativeValue(encoding: roundTrip(url)).payload == payload)
    }

    @Test(arguments: ["http://[", ""]) func aBaseThatIsNoURLIsNoneThatIsLeftOut(_ base: String) throws {
        let native = try NativeValue(.url("foo", base: base))
        #expect(throws: DecodingError.self) { try native.decode(URL.self) }
    }

    @Test func oddBases() throws {
        try expect("x", "mailto:a@b.c", "mailto:x")
        try expect("?s=1", "mailto:a@b.c", "mailto:a@b.c?s=1")
        try expect("g", "https://a", "https://a/g")
        try expect("../g", "a/b", "/g")
        try expect("../../g", "a/b", "/g")
        try expect("g", "", "g")
        try expect("#f", "https://a/b?q#old", "https://a/b?q#f")
        try expect("//h/../y", "https://a/b", "https://h/../y")
        try expect("/%2e%2E/x", "https://a/b", "https://a/%2e%2E/x")
        try expect("@b:c", "https://a/b", "https://a/@b:c")
        try expect("g", ":/a/b", ":/a/g")
        try expect("ä", "https://ö/ü", "https://ö/ä")
    }

    @Test func everythingDotsCanDo() throws {
        for path in [
            "/", "//", "/..", "/../..", "/a/./../b//../c", "/a/b/..", "/...", "/.a./..b", "/a/../../.", "/..//..",
        ] {
            let reference = try #require(URL(string: path, relativeTo: URL(string: "x://h/p")))
            try expect(path, "x://h/p", reference.absoluteString)
        }
        let long = String(repeating: "../", count: 200_000)
        try expect(long + "g", "x://h" + String(repeating: "/p", count: 200_000), "x://h/g")
    }

    @Test func randomOnesAreWhatJSONEncoderWrites() throws {
        var random = SeededGenerator(seed: Self.seed)
        var compared = 0
        for round in 0..<20_000 {
            let (relative, base) = (random.urlText(isBase: false), random.urlText(isBase: true))
            guard let url = URL(string: relative, relativeTo: URL(string: base)), url.baseURL != nil else { continue }
            compared += 1
            let text = try JSONDecoder().decode([String].self, from: JSONEncoder().encode([url]))[0]
            let place: Comment = "seed \(Self.seed), round \(round): \(relative) and \(base)"
            #expect(try exported(url.relativeString, #require(url.baseURL).absoluteString) == .string(text), place)
            #expect(try ElementCoder.encode(url).jsonValue() == .string(text), place)
        }
        #expect(compared > 5_000)
    }
}

extension SeededGenerator {
    /// A URL's text from parts that Foundation takes, some after escaping them.
    fileprivate mutating func urlText(isBase: Bool) -> String {
        func pick(_ parts: [String], _ random: inout Self) -> String { parts.randomElement(using: &random) ?? "" }
        var text = ""
        let schemes = ["https:", "HTTP:", "mailto:", "file:", "x-y+z.1:", "urn:", ":"]
        if Int.random(in: 0..<10, using: &self) < (isBase ? 8 : 1) { text += pick(schemes, &self) }
        if Int.random(in: 0..<10, using: &self) < (isBase ? 6 : 1) {
            let hosts = ["", "h", "bücher.example", "u:p@h:80", "u@h", ":@h", "h:", "[::1]:8", "%68", "EXAMPLE.com"]
            text += "//" + pick(hosts, &self) + pick(["", "/", "/"], &self)
        }
        let segments = ["/", "/", "..", ".", "a", "b:", "%2e%2E", "%2F", "ß", "//", "x y", ";", "@", "...", "[", "|"]
        for _ in 0..<Int.random(in: 0..<6, using: &self) { text += pick(segments, &self) }
        let rest = ["", "a", "a/../b", "?", "ü b", "%", "[x]", "//"]
        if Int.random(in: 0..<3, using: &self) == 0 { text += "?" + pick(rest, &self) }
        if Int.random(in: 0..<3, using: &self) == 0 { text += "#" + pick(rest, &self) }
        return text
    }
}
