// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Where a command's words go: the answer to standard output, all else to standard error.
///
/// The answer is buffered until `flush`. A reader that goes away (`… | head -1`) ends the command with success.
final class Console {
    private let output: Int32
    private let diagnostics: Int32
    private var buffer: [UInt8] = []
    private static let bufferLimit = 64 * 1024

    let isOutputTerminal: Bool
    /// Whether diagnostics may be coloured. Colour only repeats what a word says.
    private var colorsDiagnostics: Bool

    init(output: Int32 = STDOUT_FILENO, diagnostics: Int32 = STDERR_FILENO, environment: Environment = .process) {
        self.output = output
        self.diagnostics = diagnostics
        self.isOutputTerminal = isatty(output) == 1
        self.colorsDiagnostics =
            isatty(diagnostics) == 1 && environment["NO_COLOR"].map(\.isEmpty) ?? true
            && environment["TERM"] != "dumb"
    }

    func setColor(_ choice: String?) {
        switch choice {
        case "always": colorsDiagnostics = true
        case "never": colorsDiagnostics = false
        default: break
        }
    }

    // MARK: The answer

    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        buffer += bytes
        if buffer.count >= Self.bufferLimit { try flush() }
    }

    func writeLine(_ text: String) throws(CommandFailure) {
        buffer += text.utf8
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= Self.bufferLimit { try flush() }
    }

    func writeLine(_ bytes: [UInt8]) throws(CommandFailure) {
        buffer += bytes
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= Self.bufferLimit { try flush() }
    }

    /// Hands the answer so far to the reader.
    func flush() throws(CommandFailure) {
        let bytes = buffer
        buffer.removeAll(keepingCapacity: true)
        let code = Self.writeAll(bytes, to: output)
        if code == EPIPE { throw .outputClosed }
        guard code == 0 else {
            throw CommandFailure(.internalFailure, "cannot write the answer to standard output: \(systemMessage(code))")
        }
    }

    // MARK: All else

    func report(_ failure: CommandFailure) {
        guard !failure.message.isEmpty else { return }
        diagnose("error", "31", failure.message)
        if let hint = failure.hint { diagnose("hint", "36", hint) }
    }

    func note(_ text: String) { diagnose("note", "33", text) }

    private func diagnose(_ label: String, _ color: String, _ text: String) {
        let shown = colorsDiagnostics ? "\u{1B}[1;\(color)m\(label):\u{1B}[0m" : "\(label):"
        // Nobody is left to tell when standard error cannot be written.
        _ = Self.writeAll(Array("navsyncctl: \(shown) \(Display.escaped(text))\n".utf8), to: diagnostics)
    }

    /// Writes plain text, such as help after a wrong command line.
    func explain(_ text: String) { _ = Self.writeAll(Array((text + "\n").utf8), to: diagnostics) }

    /// 0, or the errno that stopped it.
    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { whole in
            var rest = whole[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&ready, 1, -1)
                } else if errno != EINTR {
                    return errno
                }
            }
            return 0
        }
    }
}

/// The sentence that the system has for an errno.
func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }
