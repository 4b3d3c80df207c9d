// SPDX-License-Identifier: Apache-2.0
package import NavSync

/// A node whose id is easy to tell from others.
package func node(_ number: UInt64) -> NodeID { NodeID(high: number, low: 0) }

extension TargetPlace {
    /// The first peer of a configuration.
    package static let first = TargetPlace(rawValue: 0)
}

package func stamp(_ milliseconds: UInt64, _ origin: NodeID, counter: UInt16 = 0) -> Stamp {
    Stamp(time: HybridTime(rawValue: milliseconds << 16 | UInt64(counter)), origin: origin)
}

package func name(_ text: String) -> StackName {
    guard let name = try? StackName(text) else { preconditionFailure("\(text) is no name") }
    return name
}

/// A stand-in for SHA-256: well spread, the same for equal bytes.
package func testHash(_ bytes: [UInt8]) -> ContentHash {
    var words: [UInt64] = []
    for salt in 1...4 as ClosedRange<UInt64> {
        var value = salt &* 0x9E37_79B9_7F4A_7C15
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
        words.append(value ^ (value >> 29))
    }
    return ContentHash(words: (words[0], words[1], words[2], words[3]))
}

/// Takes every envelope but those that start with 0xFF.
@Sendable package func testInspect(_ envelope: [UInt8]) throws(SyncError) -> ContentHash {
    guard envelope.first != 0xFF else { throw .invalidEnvelope("a test envelope that starts with 0xFF") }
    return testHash(envelope)
}
