// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The file of a Unix socket that this process made.
///
/// The directory is locked (flock) from looking at what is there until the new socket listens. All daemons do so,
/// hence a socket that is bound but does not listen yet is never taken for a dead one.
struct UnixSocketFile: Sendable {
    private let path: String
    private let device: UInt64
    private let inode: UInt64

    static func listen(
        at path: String, mode: UInt32, group: UInt32?
    ) throws(PosixError) -> (descriptor: Int32, file: UnixSocketFile) {
        do {
            _ = try SocketAddress.checkedPath(path)
        } catch {
            throw PosixError(errno: ENAMETOOLONG, operation: "listen on a Unix socket", hint: error.reason)
        }
        let directory = try lockedDirectory(of: path)
        defer { close(directory) }
        try removeDeadSocket(at: path)
        let descriptor = try bindAndListen(path, mode: mode, group: group)
        var status = stat()
        guard lstat(path, &status) == 0 else {
            let failure = PosixError.last("look at \(path)")
            close(descriptor)
            throw failure
        }
        return (
            descriptor,
            UnixSocketFile(path: path, device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        )
    }

    /// Removes the file unless another one has taken its place.
    func remove() {
        var status = stat()
        guard lstat(path, &status) == 0, UInt64(status.st_dev) == device, UInt64(status.st_ino) == inode else { return }
        unlink(path)
    }

    private static func lockedDirectory(of path: String) throws(PosixError) -> Int32 {
        let end = path.lastIndex(of: "/") ?? path.startIndex
        let directory = end == path.startIndex ? "/" : String(path[..<end])
        try Directory.create(directory, mode: 0o750)
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last("open the directory \(directory)") }
        // A daemon holds it for microseconds. Whoever may read the directory can hold it for ever, and must not keep us
        // from starting; nor does a file system without flock.
        let deadline = SystemClock.monotonicNanoseconds() + 2_000_000_000
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR,
            SystemClock.monotonicNanoseconds() < deadline
        { usleep(1000) }
        return descriptor
    }

    private static func removeDeadSocket(at path: String) throws(PosixError) {
        let operation = "listen on unix:\(path)"
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw .last(operation)
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw PosixError(
                errno: EEXIST, operation: operation, hint: "there is a file that is not a socket; move it away")
        }
        guard status.st_uid == geteuid() else {
            throw PosixError(
                errno: EADDRINUSE, operation: operation,
                hint: "the socket there belongs to user \(status.st_uid); it is left alone")
        }
        guard try isDead(path, operation: operation) else {
            throw PosixError(
                errno: EADDRINUSE, operation: operation,
                hint: "another process listens there: 'ss -xlp src \(path)' shows which")
        }
        guard unlink(path) == 0 || errno == ENOENT else { throw .last("remove the dead socket \(path)") }
    }

    /// Whether nobody listens. Only a refusal says so: a listener that does not accept is alive.
    private static func isDead(_ path: String, operation: String) throws(PosixError) -> Bool {
        let address = SystemAddress.unix(path)
        let probe = address.makeSocket()
        guard probe >= 0 else { throw .last(operation) }
        defer { close(probe) }
        return address.connect(probe) != 0 && errno == ECONNREFUSED
    }

    private static func bindAndListen(_ path: String, mode: UInt32, group: UInt32?) throws(PosixError) -> Int32 {
        let operation = "listen on unix:\(path)"
        let address = SystemAddress.unix(path)
        let descriptor = address.makeSocket()
        guard descriptor >= 0 else { throw .last(operation) }
        // The mode of the descriptor, cut by the umask, is that of the file: it never is wider than asked for. Then
        // what the umask took is given back.
        guard fchmod(descriptor, mode_t(mode)) == 0, address.bind(descriptor) == 0 else {
            let failure = PosixError.last(operation)
            close(descriptor)
            throw failure
        }
        let isOwned = group.map { lchown(path, uid_t.max, $0) == 0 } ?? true
        guard isOwned, chmod(path, mode_t(mode)) == 0, Glibc.listen(descriptor, BoundSocket.backlog) == 0 else {
            let failure = PosixError.last(isOwned ? operation : "give \(path) to group \(group ?? 0)")
            unlink(path)
            close(descriptor)
            throw failure
        }
        return descriptor
    }
}
