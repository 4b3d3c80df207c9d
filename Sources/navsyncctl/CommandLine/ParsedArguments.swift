// SPDX-License-Identifier: Apache-2.0

/// A command line that fits the table.
struct ParsedArguments: Sendable {
    /// The values of the options that were given, by long name; empty text for an option without a value.
    var options: [String: String] = [:]
    var operands: [String] = []
    /// Every value of an option that may be repeated, in order.
    var repeated: [String: [String]] = [:]

    func isSet(_ option: String) -> Bool { options[option] != nil }

    func text(_ option: String) -> String? { options[option] }

    func texts(_ option: String) -> [String] { repeated[option] ?? [] }

    func operand(_ index: Int) -> String? { operands.indices.contains(index) ? operands[index] : nil }

    /// The whole number given for an option, or `fallback`; refuses text and numbers out of range.
    func number(_ option: String, default fallback: Int, in range: ClosedRange<Int>) throws(CommandFailure) -> Int {
        guard let text = options[option] else { return fallback }
        guard let number = Int(text), range.contains(number) else {
            throw .usage(
                "--\(option) \(Display.quoted(text)): a whole number from \(range.lowerBound) to \(range.upperBound)"
                    + " is needed")
        }
        return number
    }

    /// The number of a version of a stack, if the option was given.
    func version(_ option: String) throws(CommandFailure) -> UInt64? {
        guard isSet(option) else { return nil }
        return UInt64(try number(option, default: 1, in: 1...Int.max))
    }

    /// How long a call may take, in milliseconds.
    func timeoutMilliseconds() throws(CommandFailure) -> Int {
        guard let text = options["timeout"] else { return 5_000 }
        guard let seconds = Double(text), seconds >= 0.001, seconds <= 86_400 else {
            throw .usage("--timeout \(Display.quoted(text)): a number of seconds from 0.001 to 86400 is needed")
        }
        return max(1, Int(seconds * 1_000))
    }
}
