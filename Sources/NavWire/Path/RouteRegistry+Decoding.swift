// SPDX-License-Identifier: Apache-2.0

extension RouteRegistry {
    /// The Swift value of an element. `index` is its place from the root, for the error.
    ///
    /// Throws `DecodingError` whose coding path is the index and whose description names the tag. Never traps.
    public func value(
        of element: PathElement, at index: Int = 0, userInfo: [CodingUserInfoKey: Any] = [:]
    ) throws -> any Hashable {
        do {
            guard let value = try box(of: element, at: index, userInfo: userInfo).value else {
                throw PathIssue.unknownTag(element, at: index)
            }
            return value
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [PathIndex(index)], debugDescription: "\(error)", underlyingError: error))
        }
    }

    /// The box of an element's value, after migration.
    func box(
        of element: PathElement, at index: Int, userInfo: [CodingUserInfoKey: Any]
    ) throws(PathIssue) -> PathBox {
        guard let route = route(of: element.tag) else { throw .unknownTag(element, at: index) }
        if element.value == Self.placeholder {
            throw PathIssue(
                code: .redacted, index: index, tag: element.tag, reason: "the value was left out when it was written")
        }
        let value = route.migrate?(element.withJSONValue).map(PathValue.json) ?? element.value
        if case .verbatim = value {
            let why = element.oddity.map { "\($0)" } ?? "not JSON"
            throw PathIssue(code: .itemNotJSON, index: index, tag: element.tag, reason: why)
        }
        do {
            return try route.decode(value, userInfo: userInfo)
        } catch {
            throw PathIssue(
                code: .notDecodable, index: index, tag: element.tag,
                reason:
                    "the item does not decode as \(route.tag): \(ElementCoder.reason(error, isHidden: route.redaction != .none))"
            )
        }
    }

    /// What stands in for a value that a redaction rule left out.
    static let placeholder = PathValue.json(.object(JSONObject([.init(key: "$redacted", value: .bool(true))])))
}

extension PathElement {
    /// The element as if it had been imported, so that a migration meets one form; itself when JSON has none of it.
    fileprivate var withJSONValue: PathElement {
        guard case .native = value, let json = try? value.jsonValue() else { return self }
        return PathElement(tag: tag, value: .json(json))
    }
}
