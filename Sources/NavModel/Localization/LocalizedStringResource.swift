// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import NavWire

extension NavTwin {
    /// A text that is localised when it is shown: a key, a default value, and where to look the key up.
    ///
    /// Equatable, and not Hashable, as Apple's: it is no element of a path by itself. Here it resolves to its default
    /// value.
    public struct LocalizedStringResource: Equatable, Sendable, ExpressibleByStringInterpolation {
        /// The bundle that holds the table.
        // Unchecked because of the class: a metatype is immutable, and only its identity is used.
        public enum BundleDescription: Equatable, @unchecked Sendable {
            case main
            case atURL(URL)
            case forClass(AnyClass)

            public static func == (lhs: Self, rhs: Self) -> Bool {
                switch (lhs, rhs) {
                case (.main, .main): true
                case (.atURL(let left), .atURL(let right)): left == right
                case (.forClass(let left), .forClass(let right)): left == right
                default: false
                }
            }
        }

        /// What the text is looked up by.
        public let key: String
        /// The text where nothing is found, with its arguments.
        public let defaultValue: LocalizationValue
        /// Where to look the key up; nil for the bundle's own table.
        public let table: String?
        /// The locale to resolve for. Written only when it was set.
        public var locale: Locale {
            get { explicitLocale ?? .current }
            set { explicitLocale = newValue }
        }
        public let bundle: BundleDescription
        private var explicitLocale: Locale?

        public init(
            _ keyAndValue: LocalizationValue, table: String? = nil, locale: Locale? = nil,
            bundle: BundleDescription = .main, comment: StaticString? = nil
        ) {
            self.init(key: keyAndValue.key, keyAndValue, table, locale, bundle)
        }

        public init(
            _ key: StaticString, defaultValue: LocalizationValue, table: String? = nil, locale: Locale? = nil,
            bundle: BundleDescription = .main, comment: StaticString? = nil
        ) {
            self.init(key: "\(key)", defaultValue, table, locale, bundle)
        }

        private init(
            key: String, _ defaultValue: LocalizationValue, _ table: String?, _ locale: Locale?,
            _ bundle: BundleDescription
        ) {
            self.key = key
            self.defaultValue = defaultValue
            self.table = table
            self.bundle = bundle
            explicitLocale = locale
        }

        public init(stringLiteral text: String) { self.init(LocalizationValue(stringLiteral: text)) }

        public init(stringInterpolation: LocalizationValue.StringInterpolation) {
            self.init(LocalizationValue(stringInterpolation: stringInterpolation))
        }

        /// The text to show: the default value with its arguments.
        public var resolved: String { defaultValue.resolved }
    }
}

extension NavTwin.LocalizedStringResource: Codable {
    private enum CodingKeys: String, CodingKey { case key, defaultValue, table, locale, bundleURL }

    /// What is written for every bundle: it names none. A bundle's place is a path on one device and means nothing on
    /// another, yet readers may want the key to be there.
    private static let nowhere = "file:///"

    /// Reads the keyed form, in which only a key is needed, or a plain string, which is key and value.
    public init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self.init(NavTwin.LocalizationValue(text))
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let value = try container.decodeIfPresent(NavTwin.LocalizationValue.self, forKey: .defaultValue)
        let key = try container.decodeIfPresent(String.self, forKey: .key) ?? value?.key
        guard let key else {
            throw DecodingError.keyNotFound(
                CodingKeys.key,
                .init(codingPath: decoder.codingPath, debugDescription: "a resource has a key or a default value"))
        }
        self.init(
            key: key, value ?? NavTwin.LocalizationValue(key: key),
            try container.decodeIfPresent(String.self, forKey: .table),
            try container.decodeIfPresent(Locale.self, forKey: .locale), .main)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(key, forKey: .key)
        try container.encode(defaultValue, forKey: .defaultValue)
        try container.encodeIfPresent(table, forKey: .table)
        try container.encodeIfPresent(explicitLocale, forKey: .locale)
        try container.encode(Self.nowhere, forKey: .bundleURL)
    }
}

extension String {
    /// The text of a resource as it is shown.
    public init(localized resource: NavTwin.LocalizedStringResource) { self = resource.resolved }
}
