// SPDX-License-Identifier: Apache-2.0
import NavSync

/// When and where a stack was written: the total order of writes, the same on every replica.
///
/// Its text is `<16 hex digits>@<origin>`: a hybrid clock reading and the id of the replica that wrote.
public struct StackStamp: Hashable, Comparable, Sendable, CustomStringConvertible {
    let stamp: Stamp

    init(_ stamp: Stamp) { self.stamp = stamp }

    /// Reads the text form.
    public init(_ text: String) throws(NavClientError) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        // A number may begin with a plus sign, a stamp may not.
        guard parts.count == 2, parts[0].utf8.count == 16, parts[0].first != "+", let time = UInt64(parts[0], radix: 16)
        else {
            throw Self.malformed("\(text.prefix(80)) is not a stamp")
        }
        do throws(SyncError) {
            stamp = Stamp(time: HybridTime(rawValue: time), origin: try NodeID(text: String(parts[1])))
        } catch {
            throw Self.malformed(error.reason)
        }
    }

    /// Milliseconds since 1970 UTC, as the writer's clock had it.
    public var milliseconds: UInt64 { stamp.time.milliseconds }

    /// The id of the replica that wrote.
    public var origin: String { stamp.origin.text }

    /// Enough of `origin` to tell a handful of replicas apart in a table; decides nothing.
    public var shortOrigin: String { stamp.origin.shortText }

    public var description: String {
        let digits = String(stamp.time.rawValue, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits + "@" + origin
    }

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.stamp < rhs.stamp }

    private static func malformed(_ reason: String) -> NavClientError {
        NavClientError(
            code: .invalidStamp, reason: reason,
            hint: "give a stamp as 'navsyncctl pull --meta' shows it: 16 hex digits, '@', the origin")
    }
}

extension StackStamp: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do throws(NavClientError) {
            try self.init(text)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.reason)
        }
    }

    /// Its text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
