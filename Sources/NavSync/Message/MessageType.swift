// SPDX-License-Identifier: Apache-2.0

/// The byte after a frame's length.
package enum MessageType: UInt8, Hashable, Sendable, CaseIterable {
    case hello = 1
    case push = 2
    case pull = 3
    case list = 4
    case delete = 5
    case subscribe = 6
    case records = 7
    case acknowledge = 8
    case ping = 9
    case pong = 10
    case error = 11
    case goodbye = 12
    case status = 13
    case listing = 14
    case statusReport = 15
    case unsubscribe = 16
    case manage = 17
}

/// The number that a request carries and its answer repeats. Chosen by the asking side, unique among its requests
/// that wait; 0 means "no request".
package struct RequestID: Hashable, Sendable {
    package let rawValue: UInt64
    package static let none = RequestID(rawValue: 0)
    package init(rawValue: UInt64) { self.rawValue = rawValue }
}
