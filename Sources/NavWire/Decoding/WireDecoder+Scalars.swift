// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

extension WireDecoder {
    @inline(__always)
    func bool() throws -> Bool {
        guard isAlive, index >= 0, entry.kind == .bool else { throw mismatch(Bool.self) }
        return entry.bits == 1
    }

    @inline(__always)
    func string() throws -> String {
        guard isAlive, index >= 0, entry.kind == .string else { throw mismatch(String.self) }
        return unsafe scanner.pointee.string(entry)
    }

    /// An integer of any width.
    @inline(__always)
    func integer<Value: FixedWidthInteger>() throws -> Value {
        guard isAlive, index >= 0, entry.kind == .integer else { return try rareInteger() }
        let entry = entry
        if entry.flag == 0 {
            if let value = Value(exactly: entry.bits) { return value }
        } else if let value = Value(exactly: -1 - Int128(entry.bits)) {
            return value
        }
        throw doesNotFit(Value.self)
    }

    /// An integer that an `Int64` holds; nil for everything else.
    @inline(__always)
    var shortInteger: Int64? {
        guard isAlive, index >= 0, entry.kind == .integer, let magnitude = Int64(exactly: entry.bits) else {
            return nil
        }
        return entry.flag == 0 ? magnitude : -1 - magnitude
    }

    @inline(never)
    private func rareInteger<Value: FixedWidthInteger>() throws -> Value {
        guard isAlive, index >= 0 else { throw mismatch(Value.self) }
        switch entry.kind {
        case .wideInteger:
            let magnitude = unsafe scanner.pointee.wideMagnitude(entry)
            if entry.flag == 0 {
                if let value = Value(exactly: magnitude) { return value }
            } else if let below = Int128(exactly: magnitude), let value = Value(exactly: -1 - below) {
                return value
            }
            throw doesNotFit(Value.self)
        default: throw mismatch(Value.self)
        }
    }

    private func doesNotFit(_ type: Any.Type) -> any Error { corrupted("Parsed number does not fit in \(type).") }

    @inline(__always)
    func double() throws -> Double {
        guard isAlive, index >= 0, entry.kind == .double else { throw mismatch(Double.self) }
        return Double(bitPattern: entry.bits)
    }

    @inline(__always)
    func float() throws -> Float {
        guard isAlive, index >= 0, entry.kind == .float else { throw mismatch(Float.self) }
        return Float(bitPattern: UInt32(truncatingIfNeeded: entry.bits))
    }

    // MARK: Handed on
    //
    // A type that is written without its own code may be read by it, since a wrapper may hand on its decoder: to their own
    // code a date is a `Double`, a UUID a `String` and a `Float16` a `Float`. `leaf` has it the other way round.

    func forwardedString() throws -> String { try isEntry(.uuid) ? uuid().uuidString : string() }

    func forwardedDouble() throws -> Double {
        try isEntry(.date) ? date().timeIntervalSinceReferenceDate : double()
    }

    func forwardedFloat() throws -> Float {
        try isEntry(.half) ? Float(Float16(bitPattern: UInt16(truncatingIfNeeded: entry.bits))) : float()
    }

    // MARK: Foundation's values

    func uuid() throws -> UUID {
        guard isAlive, index >= 0, entry.kind == .uuid else { throw mismatch(UUID.self) }
        return unsafe unsafeBitCast(scanner.pointee.uuidBytes(entry), to: UUID.self)
    }

    func date() throws -> Date {
        guard isAlive, index >= 0, entry.kind == .date else { throw mismatch(Date.self) }
        return Date(timeIntervalSinceReferenceDate: Double(bitPattern: entry.bits))
    }

    func data() throws -> Data {
        guard isAlive, index >= 0, entry.kind == .data else { throw mismatch(Data.self) }
        return unsafe Data(scanner.pointee.payloadBytes(entry))
    }

    func url() throws -> URL {
        guard isAlive, index >= 0 else { throw mismatch(URL.self) }
        let url: URL?
        switch entry.kind {
        case .webURL, .url: url = unsafe URL(string: scanner.pointee.urlString(entry))
        case .urlWithBase:
            let (relative, base) = (place(index + 1), place(index + 2))
            url = unsafe URL(string: scanner.pointee.string(base.entry)).flatMap {
                unsafe URL(string: scanner.pointee.string(relative.entry), relativeTo: $0)
            }
        default: throw mismatch(URL.self)
        }
        guard let url else { throw corrupted("Invalid URL string.") }
        return url
    }

    func decimal() throws -> Decimal {
        guard isAlive, index >= 0 else { throw mismatch(Decimal.self) }
        switch entry.kind {
        case .decimalNaN: return .nan
        case .decimal: break
        default: throw mismatch(Decimal.self)
        }
        guard let number = unsafe scanner.pointee.number(entry), let value = Decimal(number) else {
            throw doesNotFit(Decimal.self)
        }
        return value
    }
}

extension Decimal {
    /// The value; nil when it is out of a `Decimal`'s range. Digits beyond 128 bits, which only imported numbers have, go
    /// the way they go in `JSONDecoder`, which reads a text by the same function.
    init?(_ number: JSONNumber) { self.init(string: number.scientificText) }
}
