// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Writes an answer to a file that appears whole or not at all.
enum OutputFile {
    /// Writes beside `path` under another name and then renames; an existing file keeps its mode.
    static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
        var status = stat()
        let exists = stat(path, &status) == 0
        // A pipe, a terminal or /dev/null has no name to rename to: write through it.
        if exists, status.st_mode & S_IFMT != S_IFREG {
            return try writeThrough(bytes, to: path)
        }
        let mode = exists ? status.st_mode & 0o777 : 0o666 & ~currentMask()
        let target = exists ? resolved(path) : path
        let temporary = target + ".\(getpid()).tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else { throw failure(path, errno) }
        var code = fill(descriptor, bytes)
        if code == 0, fchmod(descriptor, mode) != 0 { code = errno }
        if code == 0, fsync(descriptor) != 0 { code = errno }
        if close(descriptor) != 0, code == 0 { code = errno }
        if code == 0, rename(temporary, target) != 0 { code = errno }
        guard code == 0 else {
            unlink(temporary)
            throw failure(path, code)
        }
    }

    private static func writeThrough(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path, errno) }
        let code = fill(descriptor, bytes)
        close(descriptor)
        if code == EPIPE { throw .outputClosed }
        guard code == 0 else { throw failure(path, code) }
    }

    private static func fill(_ descriptor: Int32, _ bytes: [UInt8]) -> Int32 {
        bytes.withUnsafeBytes { whole in
            var rest = whole[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0 && errno != EINTR { return errno }
                rest = rest.dropFirst(max(0, count))
            }
            return 0
        }
    }

    private static func resolved(_ path: String) -> String {
        guard let name = realpath(path, nil) else { return path }
        defer { free(name) }
        return String(cString: name)
    }

    private static func currentMask() -> mode_t {
        let mask = umask(0o077)
        umask(mask)
        return mask
    }

    private static func failure(_ path: String, _ code: Int32) -> CommandFailure {
        CommandFailure(.internalFailure, "cannot write \(Display.quoted(path)): \(systemMessage(code))")
    }
}
