// SPDX-License-Identifier: Apache-2.0

/// What is unusual about an element that was kept all the same. Shown beside it; it loses nothing.
public enum ElementOddity: Hashable, Sendable, CustomStringConvertible {
    /// The item is not JSON; why not.
    case itemIsNotJSON(String)
    /// The tag is a private or local type's, with a memory address in it: no other program can match it.
    case privateType
    /// The tag is not the readable name of a type in a module.
    case notATypeName

    public var description: String {
        switch self {
        case .itemIsNotJSON(let why): "item kept verbatim, \(why)"
        case .privateType: "private type, its tag names a memory address"
        case .notATypeName: "tag kept verbatim, not a type name with its module"
        }
    }
}

extension PathElement {
    /// What is unusual about this element; nil when nothing is.
    public var oddity: ElementOddity? {
        if case .verbatim(let text) = value {
            return .itemIsNotJSON(Self.whyNotJSON(text))
        }
        guard let name = TypeName(tag) else { return .notATypeName }
        if name.isPrivate { return .privateType }
        return name.module == nil ? .notATypeName : nil
    }

    private static func whyNotJSON(_ text: String) -> String {
        do {
            _ = try JSONScanner.value(of: Array(text.utf8))
        } catch {
            return error.offset.map { "\(error.reason) at byte \($0)" } ?? error.reason
        }
        // Only a caller that built the value by hand gets here.
        return "given as verbatim"
    }
}
