// SPDX-License-Identifier: Apache-2.0
public import NavWire

extension NavTwin {
    /// The key of a localised title: what a string literal is where a title is wanted.
    public struct LocalizedStringKey: Equatable, Sendable, ExpressibleByStringInterpolation {
        let value: LocalizationValue

        public init(_ text: String) { value = LocalizationValue(text) }
        public init(stringLiteral text: String) { value = LocalizationValue(stringLiteral: text) }
        public init(stringInterpolation: LocalizationValue.StringInterpolation) {
            value = LocalizationValue(stringInterpolation: stringInterpolation)
        }

        /// The text to show.
        public var resolved: String { value.resolved }
    }
}
