// SPDX-License-Identifier: Apache-2.0

extension Scope {
    /// The scope of a subscription to names with a prefix. FNV-1a: the same in every process and release, because
    /// cursors on disk hold it.
    package init(prefix: [UInt8]) {
        var value: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in prefix { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
        self.init(rawValue: value)
    }
}
