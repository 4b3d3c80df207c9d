// SPDX-License-Identifier: Apache-2.0

/// Numbers with units as people write them in a config file.
enum Quantity {
    typealias Unit = (suffix: String, factor: UInt64)

    static let durationUnits: [Unit] = [
        ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000), ("h", 3_600_000_000_000),
    ]
    static let sizeUnits: [Unit] = [("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30)]

    /// "200ms", "30s", "5m", "2h": nanoseconds. Nil for anything else; a bare number has no unit and is refused.
    static func nanoseconds(_ text: String) -> UInt64? { scaled(text, durationUnits) }

    /// "512", "64K", "1M": bytes.
    static func bytes(_ text: String) -> Int? { scaled(text, sizeUnits + [("", 1)]).flatMap { Int(exactly: $0) } }

    private static func scaled(_ text: String, _ units: [Unit]) -> UInt64? {
        for unit in units where text.hasSuffix(unit.suffix) {
            let digits = text.dropLast(unit.suffix.count)
            guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = UInt64(digits)
            else { continue }
            let (product, overflow) = number.multipliedReportingOverflow(by: unit.factor)
            return overflow ? nil : product
        }
        return nil
    }

    /// The units as a message lists them.
    static func names(of units: [Unit]) -> String { units.map(\.suffix).joined(separator: ", ") }

    /// Nanoseconds as the file would spell them.
    static func spell(nanoseconds: UInt64) -> String {
        if nanoseconds % 1_000_000_000 == 0 { return "\(nanoseconds / 1_000_000_000)s" }
        return "\(nanoseconds / 1_000_000)ms"
    }
}
