// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavWire

/// Requests of a load run, made beforehand: only the request's number and the digits of the stack's name change.
///
/// All frames of a run have one length, so a batch is a few copies into one buffer.
struct LoadFrames {
    /// One request with its name's digits at `digits`. Several with different paths: the same path pushed again
    /// would cost a daemon less than a new one.
    private let templates: [[UInt8]]
    private let digits: Range<Int>
    private let stacks: Int
    private var random: UInt64 = 0x9E37_79B9_7F4A_7C15

    static let namePrefix = "bench/"
    private static let digitCount = 9
    /// From here up to 16383 a varint has two bytes: so many requests can be in flight.
    private static let firstRequest: UInt64 = 128

    init(_ operation: LoadPlan.Operation, stacks: Int, envelopes: [[UInt8]]) throws(NavClientError) {
        let name = try ClientSession.stackName(Self.name(of: 0))
        let request = RequestID(rawValue: Self.firstRequest)
        switch operation {
        case .push: templates = envelopes.map { Push(request: request, name: name, envelope: $0).frame }
        case .pull: templates = [Pull(request: request, name: name).frame]
        }
        // Length and type, the request's two bytes, the name's length in one byte, the prefix.
        let start = Frame.headerByteCount + 3 + Self.namePrefix.utf8.count
        digits = start..<start + Self.digitCount
        self.stacks = stacks
    }

    static func name(of stack: Int) -> String {
        let digits = String(stack)
        return namePrefix + String(repeating: "0", count: max(0, digitCount - digits.count)) + digits
    }

    /// Appends a request for a stack chosen at random.
    mutating func appendRequest(slot: Int, to buffer: inout [UInt8]) {
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        appendRequest(slot: slot, stack: Int(random % UInt64(stacks)), content: Int(random >> 40), to: &buffer)
    }

    /// Appends a request for one stack, with the number of its place in the batch.
    func appendRequest(slot: Int, stack: Int, content: Int, to buffer: inout [UInt8]) {
        let start = buffer.count
        buffer.append(contentsOf: templates[content % templates.count])
        let request = Self.firstRequest + UInt64(slot)
        buffer[start + Frame.headerByteCount] = UInt8(truncatingIfNeeded: request) | 0x80
        buffer[start + Frame.headerByteCount + 1] = UInt8(truncatingIfNeeded: request >> 7)
        var rest = stack
        for place in digits.reversed() where rest > 0 {
            buffer[start + place] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
    }

    /// Different envelopes of nearly `byteCount` bytes, as a path with one text would have.
    static func envelopes(byteCount: Int, count: Int) throws(NavClientError) -> [[UInt8]] {
        var envelopes: [[UInt8]] = []
        for number in 0..<count { envelopes.append(try envelope(byteCount: byteCount, number: UInt64(number))) }
        return envelopes
    }

    private static func envelope(byteCount: Int, number: UInt64) throws(NavClientError) -> [UInt8] {
        var textCount = byteCount
        var best: [UInt8] = []
        // Compression makes the size a little uncertain: a few corrections settle it.
        for _ in 0..<8 {
            let text = text(count: textCount, seed: number)
            let bytes: [UInt8]
            do throws(NavWireError) {
                bytes = try PathEnvelope.encode([PathElement(tag: "Swift.String", value: .json(.string(text)))])
            } catch {
                throw NavClientError(code: .tooLarge, reason: error.reason)
            }
            if best.isEmpty || abs(bytes.count - byteCount) < abs(best.count - byteCount) { best = bytes }
            guard bytes.count != byteCount, textCount > 0 else { break }
            textCount = max(0, textCount + byteCount - bytes.count)
        }
        return best
    }

    /// Letters that do not compress much, different for each seed.
    private static func text(count: Int, seed: UInt64) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-".utf8)
        var state = (seed &+ 1) &* 0x9E37_79B9_7F4A_7C15
        let bytes = (0..<count).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return letters[Int(state >> 58)]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
