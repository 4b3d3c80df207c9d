// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Reads what a command is given: a file, or standard input.
enum InputFile {
    /// The most bytes any input may have. Well above the greatest path's JSON, so that the codec's own limits speak.
    static let maximumByteCount = 16 * 1024 * 1024

    /// The whole content of `path`, or of standard input when it is nil or "-".
    static func read(_ path: String?) throws(CommandFailure) -> [UInt8] {
        guard let path, path != "-" else { return try readAll(STDIN_FILENO, shownAs: "standard input") }
        let shown = Display.quoted(path)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CommandFailure(.badInput, "cannot open \(shown): \(systemMessage(errno))")
        }
        defer { close(descriptor) }
        return try readAll(descriptor, shownAs: shown)
    }

    private static func readAll(_ descriptor: Int32, shownAs name: String) throws(CommandFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let capacity = 64 * 1024
            var count = 0
            let piece = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
                repeat {
                    count = Glibc.read(descriptor, buffer.baseAddress, capacity)
                } while count < 0 && errno == EINTR
                initialized = max(0, count)
            }
            guard count >= 0 else {
                throw CommandFailure(.badInput, "cannot read \(name): \(systemMessage(errno))")
            }
            guard count > 0 else { return bytes }
            bytes += piece
            guard bytes.count <= maximumByteCount else {
                throw CommandFailure(
                    .tooLarge, "\(name) has more than \(maximumByteCount) bytes, which no path has",
                    hint: "a path is small: is this the right file?")
            }
        }
    }
}
