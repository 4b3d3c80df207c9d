// SPDX-License-Identifier: Apache-2.0

extension NavTwin.NavigationPath.CodableRepresentation {
    /// The path in the compact form: an envelope, as it is stored and sent.
    ///
    /// Throws `PathIssue` for a value whose `encode(to:)` fails, and `NavWireError` when the whole is over a limit.
    public func envelope(
        options: NavWireOptions = .init(), userInfo: [CodingUserInfoKey: Any] = [:]
    ) throws -> [UInt8] {
        try PathEnvelope.encode(elements(userInfo: userInfo), options: options)
    }

    /// The saved form of a path in an envelope. Every byte is checked; values are decoded when a type is known.
    public init(
        envelope: [UInt8], limits: NavWireLimits = .default, dictionary: NavWireDictionary? = nil
    ) throws(NavWireError) {
        self.init(try PathEnvelope.decode(envelope, limits: limits, dictionary: dictionary))
    }
}
