// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Directories of state and of sockets.
package enum Directory {
    /// Makes the directory and its missing parents with exactly `mode`, whatever the umask. One that is there stays
    /// as it is.
    package static func create(_ path: String, mode: UInt32) throws(PosixError) {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else {
                throw PosixError(errno: ENOTDIR, operation: "use the directory \(path)")
            }
            return
        }
        guard errno == ENOENT else { throw .last("use the directory \(path)") }
        if let end = path.dropFirst().lastIndex(of: "/"), end != path.indices.last {
            try create(String(path[..<end]), mode: mode)
        }
        // Made with the umask's cut, so never wider than asked for; then what the umask took is given back.
        guard mkdir(path, mode_t(mode)) == 0 || errno == EEXIST, chmod(path, mode_t(mode)) == 0 else {
            throw .last("make the directory \(path)")
        }
    }

    /// Refuses a directory in which others than this process's user could put files of theirs in the place of ours.
    package static func checkOnlyOwnerWrites(_ path: String) throws(PosixError) {
        var status = stat()
        let operation = "use the directory \(path)"
        guard stat(path, &status) == 0 else { throw .last(operation) }
        guard status.st_uid == geteuid() else {
            throw PosixError(
                errno: EACCES, operation: operation,
                hint: "it belongs to user \(status.st_uid), and this is user \(geteuid()): take another, or chown it")
        }
        guard status.st_mode & 0o022 == 0 else {
            throw PosixError(
                errno: EACCES, operation: operation,
                hint: "others may write to it: if nobody has put anything there, chmod go-w \(path)")
        }
    }

    /// Makes the entries of a directory durable: after a rename, a new file or an unlink.
    package static func synchronise(_ path: String) throws(PosixError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last("open the directory \(path)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .last("sync the directory \(path)") }
    }
}
