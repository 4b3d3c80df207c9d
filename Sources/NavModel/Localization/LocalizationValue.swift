// SPDX-License-Identifier: Apache-2.0
public import NavWire

extension NavTwin {
    /// A localisable text with its interpolated arguments.
    ///
    /// Its key is the text with a placeholder for each argument: `"\(3) unread"` has the key `%lld unread`.
    public struct LocalizationValue: Hashable, Sendable, ExpressibleByStringInterpolation {
        /// What was interpolated.
        public enum Argument: Hashable, Sendable {
            case string(String)
            case integer(Int64)
            case unsigned(UInt64)
            case double(Double)
            /// One of a newer form. It is shown as its placeholder.
            case unknown
        }

        /// The text with a placeholder for each argument; a per cent sign that is text is doubled where there are any.
        public let key: String
        public let arguments: [Argument]

        public init(key: String, arguments: [Argument] = []) {
            self.key = key
            self.arguments = arguments
        }

        public init(_ text: String) { self.init(key: text) }

        public init(stringLiteral text: String) { self.init(key: text) }

        public init(stringInterpolation: StringInterpolation) {
            key = stringInterpolation.key
            arguments = stringInterpolation.arguments
        }

        /// The text with the arguments in place of their placeholders.
        public var resolved: String {
            guard !arguments.isEmpty else { return key }
            var text = ""
            var rest = key[...]
            var remaining = arguments[...]
            while let sign = rest.firstIndex(of: "%") {
                text += rest[..<sign]
                rest = rest[sign...]
                if rest.hasPrefix("%%") {
                    text += "%"
                    rest = rest.dropFirst(2)
                } else if let placeholder = Self.placeholders.first(where: rest.hasPrefix), let next = remaining.first {
                    text += next.text(placeholder)
                    remaining = remaining.dropFirst()
                    rest = rest.dropFirst(placeholder.count)
                } else {
                    text += "%"
                    rest = rest.dropFirst()
                }
            }
            return text + rest
        }

        private static let placeholders = ["%@", "%lld", "%llu", "%lf"]
    }
}

extension NavTwin.LocalizationValue.Argument {
    var placeholder: String {
        switch self {
        case .string, .unknown: "%@"
        case .integer: "%lld"
        case .unsigned: "%llu"
        case .double: "%lf"
        }
    }

    fileprivate func text(_ placeholder: String) -> String {
        switch self {
        case .string(let value): value
        case .integer(let value): String(value)
        case .unsigned(let value): String(value)
        case .double(let value): String(value)
        case .unknown: placeholder
        }
    }
}

extension NavTwin.LocalizationValue {
    /// Collects literals and arguments.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate private(set) var arguments: [Argument] = []
        private var pieces: [String] = [""]

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) { pieces[pieces.count - 1] += literal }

        public mutating func appendInterpolation(_ value: some StringProtocol) { append(.string(String(value))) }
        public mutating func appendInterpolation(_ value: some SignedInteger & FixedWidthInteger) {
            append(Int64(exactly: value).map(Argument.integer) ?? .string(String(value)))
        }
        public mutating func appendInterpolation(_ value: some UnsignedInteger & FixedWidthInteger) {
            append(UInt64(exactly: value).map(Argument.unsigned) ?? .string(String(value)))
        }
        public mutating func appendInterpolation(_ value: some BinaryFloatingPoint) { append(.double(Double(value))) }
        public mutating func appendInterpolation(_ value: NavTwin.LocalizedStringResource) {
            append(.string(value.resolved))
        }

        private mutating func append(_ argument: Argument) {
            arguments.append(argument)
            pieces.append("")
        }

        fileprivate var key: String {
            // A per cent sign can be taken for a placeholder only where there are placeholders.
            guard !arguments.isEmpty else { return pieces[0] }
            let literals = pieces.map {
                $0.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
            }
            return zip(literals, arguments.map(\.placeholder) + [""]).map { $0 + $1 }.joined()
        }
    }
}

extension NavTwin.LocalizationValue: Codable {
    private enum CodingKeys: String, CodingKey { case key, arguments }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        key = try container.decode(String.self, forKey: .key)
        arguments = try container.decodeIfPresent([Argument].self, forKey: .arguments) ?? []
    }
}

extension NavTwin.LocalizationValue.Argument: Codable {
    private enum CodingKeys: String, CodingKey { case string, integer, unsigned, double }

    /// An argument in a form of a newer writer is `unknown`: a title that cannot be shown in full is no reason to lose
    /// a path.
    public init(from decoder: any Decoder) throws {
        guard let container = try? decoder.container(keyedBy: CodingKeys.self) else {
            self = .unknown
            return
        }
        if let value = try? container.decode(String.self, forKey: .string) {
            self = .string(value)
        } else if let value = try? container.decode(Int64.self, forKey: .integer) {
            self = .integer(value)
        } else if let value = try? container.decode(UInt64.self, forKey: .unsigned) {
            self = .unsigned(value)
        } else if let value = try? container.decode(Double.self, forKey: .double) {
            self = .double(value)
        } else {
            self = .unknown
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .string(let value): try container.encode(value, forKey: .string)
        case .integer(let value): try container.encode(value, forKey: .integer)
        case .unsigned(let value): try container.encode(value, forKey: .unsigned)
        case .double(let value): try container.encode(value, forKey: .double)
        case .unknown: break
        }
    }
}
