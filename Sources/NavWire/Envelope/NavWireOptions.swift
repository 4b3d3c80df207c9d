// SPDX-License-Identifier: Apache-2.0

/// How envelopes are made and read.
public struct NavWireOptions: Hashable, Sendable {
    /// What is done to make an envelope smaller.
    public enum Compression: Hashable, Sendable {
        /// Nothing: the quickest.
        case none
        /// zstd at a level from 1 to 19, and only where it gains something. Small payloads use the dictionary.
        case zstd(level: Int)

        /// Level 3.
        public static let standard = Compression.zstd(level: 3)
    }

    public var compression: Compression
    /// A dictionary that was trained on an app's own paths. It takes the place of the one that ships with the library,
    /// and whoever reads the envelope needs it too.
    public var dictionary: NavWireDictionary?
    public var limits: NavWireLimits

    public init(
        compression: Compression = .standard, dictionary: NavWireDictionary? = nil, limits: NavWireLimits = .default
    ) {
        self.compression = compression
        self.dictionary = dictionary
        self.limits = limits
    }
}
