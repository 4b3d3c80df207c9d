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
        case .negativeZero: return 0
        case .decimal, .longDecimal:
            guard isImported else { throw mismatch(Value.self) }
            return try wholeNumber()
        default: throw mismatch(Value.self)
        }
    }

    /// An imported number that has no integer's form.
    private func wholeNumber<Value: FixedWidthInteger>() throws -> Value {
        guard let number = unsafe scanner.pointee.number(entry), let magnitude = number.magnitude else {
            throw doesNotFit(Value.self)
        }
        if !number.isNegative {
            if let value = Value(exactly: magnitude) { return value }
        } else if magnitude <= 1 << 127 {
            let value = magnitude == 1 << 127 ? Int128.min : -Int128(magnitude)
            if let value = Value(exactly: value) { return value }
        }
        throw doesNotFit(Value.self)
    }

    private func doesNotFit(_ type: Any.Type) -> any Error { corrupted("Parsed number does not fit in \(type).") }

    @inline(__always)
    func double() throws -> Double {
        guard isAlive, index >= 0 else { throw mismatch(Double.self) }
        if entry.kind == .double { return Double(bitPattern: entry.bits) }
        return try importedFloat()
    }

    @inline(__always)
    func float() throws -> Float {
        guard isAlive, index >= 0 else { throw mismatch(Float.self) }
        if entry.kind == .float { return Float(bitPattern: UInt32(truncatingIfNeeded: entry.bits)) }
        return try importedFloat()
    }

    /// The value nearest to an imported number.
    private func importedFloat<Value: BinaryFloatingPoint & LosslessStringConvertible>() throws -> Value {
        guard isImported else { throw mismatch(Value.self) }
        let text: String
        switch entry.kind {
        case .integer: text = entry.flag == 0 ? "\(entry.bits)" : "\(-1 - Int128(entry.bits))"
        case .negativeZero: return -0.0
        case .decimal, .longDecimal:
            guard let number = unsafe scanner.pointee.number(entry) else { throw mismatch(Value.self) }
            text = (number.isNegative ? "-" : "") + number.digits + "e\(number.exponent)"
        default: throw mismatch(Value.self)
        }
        guard let value = Value(text), value.isFinite else { throw doesNotFit(Value.self) }
        return value
    }

    // MARK: Foundation's values

    func uuid() throws -> UUID {
        guard isAlive, index >= 0 else { throw mismatch(UUID.self) }
        if entry.kind == .uuid {
            return unsafe unsafeBitCast(scanner.pointee.uuidBytes(entry), to: UUID.self)
        }
        guard isImported, entry.kind == .string else { throw mismatch(UUID.self) }
        guard let uuid = unsafe UUID(uuidString: scanner.pointee.string(entry)) else {
            throw corrupted("Attempted to decode UUID from invalid UUID string.")
        }
        return uuid
    }

    func date() throws -> Date {
        guard isAlive, index >= 0 else { throw mismatch(Date.self) }
        if entry.kind == .date { return Date(timeIntervalSinceReferenceDate: Double(bitPattern: entry.bits)) }
        guard isImported else { throw mismatch(Date.self) }
        return Date(timeIntervalSinceReferenceDate: try importedFloat())
    }

    func data() throws -> Data {
        guard isAlive, index >= 0 else { throw mismatch(Data.self) }
        if entry.kind == .data { return unsafe Data(scanner.pointee.payloadBytes(entry)) }
        guard isImported, entry.kind == .string else { throw mismatch(Data.self) }
        guard let data = unsafe Data(base64Encoded: scanner.pointee.string(entry)) else {
            throw corrupted("Encountered Data is not valid Base64.")
        }
        return data
    }

    func url() throws -> URL {
        guard isAlive, index >= 0 else { throw mismatch(URL.self) }
        let url: URL?
        switch entry.kind {
        case .webURL, .url: url = unsafe URL(string: scanner.pointee.urlString(entry))
        case .urlWithBase:
            let (relative, base) = (place(index + 1), place(index + 2))
            url = unsafe URL(
                string: scanner.pointee.string(relative.entry),
                relativeTo: URL(string: scanner.pointee.string(base.entry)))
        case .string where isImported: url = unsafe URL(string: scanner.pointee.string(entry))
        default: throw mismatch(URL.self)
        }
        guard let url else { throw corrupted("Invalid URL string.") }
        return url
    }

    func decimal() throws -> Decimal {
        guard isAlive, index >= 0 else { throw mismatch(Decimal.self) }
        switch entry.kind {
        case .decimalNaN: return .nan
        case .decimal, .longDecimal: break
        case .negativeZero: return 0
        case .integer where isImported:
            let magnitude = Decimal(entry.bits)
            return entry.flag == 0 ? magnitude : -1 - magnitude
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
