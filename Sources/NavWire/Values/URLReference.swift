// SPDX-License-Identifier: Apache-2.0

/// The text of a URL, relative ones too, cut into its parts as RFC 3986 does it in appendix B.
///
/// URLs that have a base are joined here and not by Foundation: its releases differ in what they write, and what a
/// document exports must not depend on the system. docs/spec/wire-format.md, "As JSON", is the rule.
struct URLReference {
    typealias Bytes = ArraySlice<UInt8>

    private var scheme: Bytes?
    private var authority: Bytes?
    private var path: Bytes
    private var query: Bytes?
    private var fragment: Bytes?

    init(_ text: String) {
        var rest = Array(text.utf8)[...]
        fragment = Self.cut(&rest, from: UInt8(ascii: "#"))
        query = Self.cut(&rest, from: UInt8(ascii: "?"))
        if let colon = rest.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
            scheme = rest[..<colon]
            rest = rest[(colon + 1)...]
        }
        if rest.starts(with: "//".utf8) {
            let end = rest.dropFirst(2).firstIndex(of: Self.slash) ?? rest.endIndex
            authority = rest[(rest.startIndex + 2)..<end]
            rest = rest[end...]
        }
        path = rest
    }

    /// The text of this reference against a base: RFC 3986, section 5.2.2, but the path behind an authority of the
    /// reference's own stays as it is.
    func text(joinedTo base: URLReference) -> String {
        var target = self
        if scheme != nil {
            target.path = Self.withoutDots(path)
            return target.text
        }
        target.scheme = base.scheme
        if authority != nil { return target.text }
        target.authority = base.authority
        if path.isEmpty {
            target.path = base.path
            target.query = query ?? base.query
        } else {
            target.path = Self.withoutDots(path.first == Self.slash ? path : base.merged(with: path))
        }
        return target.text
    }

    private var text: String {
        var text: [UInt8] = []
        if let scheme { text += scheme + [UInt8(ascii: ":")] }
        if let authority { text += [Self.slash, Self.slash] + authority }
        text += path
        if let query { text += [UInt8(ascii: "?")] + query }
        if let fragment { text += [UInt8(ascii: "#")] + fragment }
        return String(decoding: text, as: UTF8.self)
    }

    /// Section 5.2.3: the path up to its last slash, then the relative one.
    private func merged(with relative: Bytes) -> Bytes {
        if authority != nil, path.isEmpty { return [Self.slash] + relative }
        guard let last = path.lastIndex(of: Self.slash) else { return relative }
        return path[...last] + relative
    }

    /// Section 5.2.4.
    private static func withoutDots(_ path: Bytes) -> Bytes {
        var rest = path
        var kept: [UInt8] = []
        func removeSegment() { kept.removeSubrange((kept.lastIndex(of: slash) ?? 0)...) }
        while !rest.isEmpty {
            if rest.starts(with: "../".utf8) {
                rest = rest.dropFirst(3)
            } else if rest.starts(with: "./".utf8) {
                rest = rest.dropFirst(2)
            } else if rest.starts(with: "/./".utf8) {
                rest = rest.dropFirst(2)
            } else if rest.starts(with: "/../".utf8) {
                rest = rest.dropFirst(3)
                removeSegment()
            } else if rest.elementsEqual("/.".utf8) {
                return kept + [slash]
            } else if rest.elementsEqual("/..".utf8) {
                removeSegment()
                return kept + [slash]
            } else if rest.elementsEqual(".".utf8) || rest.elementsEqual("..".utf8) {
                break
            } else {
                let end = rest.dropFirst().firstIndex(of: slash) ?? rest.endIndex
                kept += rest[..<end]
                rest = rest[end...]
            }
        }
        return kept[...]
    }

    private static let slash = UInt8(ascii: "/")

    /// What stands behind the first `mark`, and takes it and the mark away.
    private static func cut(_ text: inout Bytes, from mark: UInt8) -> Bytes? {
        guard let place = text.firstIndex(of: mark) else { return nil }
        defer { text = text[..<place] }
        return text[(place + 1)...]
    }

    /// A scheme by RFC 3986, or none at all before the colon, as Foundation has it.
    private static func isScheme(_ text: Bytes) -> Bool {
        guard let first = text.first else { return true }
        let isLetter = { (byte: UInt8) in (byte | 0x20) &- UInt8(ascii: "a") < 26 }
        return isLetter(first)
            && text.allSatisfy { isLetter($0) || $0 &- UInt8(ascii: "0") < 10 || "+-.".utf8.contains($0) }
    }
}
