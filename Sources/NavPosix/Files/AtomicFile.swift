// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A small file that is either the old one or the new one, whatever happens while it is written.
///
/// The temporary file has a fixed name beside the target, so a caller that owns the directory (it holds the lock) can
/// find what a power cut left there. Two writers of one path at one time are the caller's mistake.
package enum AtomicFile {
    /// Where `write` puts the bytes before they replace the file.
    package static func temporaryPath(of path: String) -> String { path + ".tmp" }

    /// Replaces `path`: temporary file, fsync, rename, fsync of the directory. The mode holds whatever the umask is.
    package static func write(_ bytes: [UInt8], to path: String, mode: UInt32) throws(PosixError) {
        let temporary = temporaryPath(of: path)
        // A left-over may have another mode or be a link: start from nothing.
        if unlink(temporary) != 0, errno != ENOENT { throw PosixError(errno: errno, operation: "remove \(temporary)") }
        let fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard fd >= 0 else { throw PosixError(errno: errno, operation: "create \(temporary)") }
        do throws(PosixError) {
            defer { close(fd) }
            try writeAll(bytes, to: fd, path: temporary)
            guard fchmod(fd, mode) == 0 else { throw PosixError(errno: errno, operation: "chmod \(temporary)") }
            guard fsync(fd) == 0 else { throw PosixError(errno: errno, operation: "fsync \(temporary)") }
        } catch {
            unlink(temporary)
            throw error
        }
        try adoptTemporary(of: path)
    }

    /// Makes a complete temporary file the live one: the second half of `write`, and what recovery does.
    package static func adoptTemporary(of path: String) throws(PosixError) {
        guard rename(temporaryPath(of: path), path) == 0 else {
            throw PosixError(errno: errno, operation: "rename \(temporaryPath(of: path)) to \(path)")
        }
        try syncDirectory(holding: path)
    }

    /// The whole file; nil when there is none. A file above `limit` bytes is refused with EFBIG.
    package static func read(_ path: String, limit: Int) throws(PosixError) -> [UInt8]? {
        let fd = open(path, O_RDONLY | O_CLOEXEC)
        guard fd >= 0 else {
            if errno == ENOENT { return nil }
            throw PosixError(errno: errno, operation: "open \(path)")
        }
        defer { close(fd) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(fd, &chunk, chunk.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw PosixError(errno: errno, operation: "read \(path)")
            }
            if count == 0 { return bytes }
            guard bytes.count + count <= limit else {
                throw PosixError(errno: EFBIG, operation: "read \(path)", hint: "at most \(limit) bytes are allowed")
            }
            bytes += chunk[..<count]
        }
    }

    private static func writeAll(_ bytes: [UInt8], to fd: Int32, path: String) throws(PosixError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(fd, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw PosixError(errno: errno, operation: "write \(path)")
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Without this a power cut may undo the rename although the file itself was synced.
    private static func syncDirectory(holding path: String) throws(PosixError) {
        let directory = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard fd >= 0 else { throw PosixError(errno: errno, operation: "open \(directory)") }
        defer { close(fd) }
        guard fsync(fd) == 0 else { throw PosixError(errno: errno, operation: "fsync \(directory)") }
    }
}
