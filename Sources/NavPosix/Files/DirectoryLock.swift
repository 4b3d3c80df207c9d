// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The right to use a state directory, held by one process at a time and given back by the kernel when it ends.
///
/// Only this lock decides who owns the directory and the sockets that belong to it: a process that does not answer is
/// not a process that has gone. The lock is on `DIR/lock`, which holds the owner's process id and stays when the
/// owner ends.
package final class DirectoryLock: Sendable {
    /// What came of trying to take the lock.
    package enum Outcome: Sendable {
        case acquired(DirectoryLock)
        /// Somebody else has it. The process id is nil when it has not been written yet.
        case held(processID: Int32?)
    }

    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Takes the lock if it is free; never waits. Touches nothing when it is not.
    package static func acquire(in directory: String) throws(PosixError) -> Outcome {
        let path = directory + "/lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .last("open \(path)") }
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let failure = errno
            defer { close(descriptor) }
            guard failure == EWOULDBLOCK else { throw PosixError(errno: failure, operation: "lock \(path)") }
            return .held(processID: holder(descriptor))
        }
        let lock = DirectoryLock(descriptor: descriptor)
        let text = Array("\(getpid())\n".utf8)
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, text, text.count, 0) == text.count else {
            throw .last("write \(path)")
        }
        return .acquired(lock)
    }

    private static func holder(_ descriptor: Int32) -> Int32? {
        var buffer = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: buffer[..<count].prefix { $0 != 0x0A }, as: UTF8.self))
    }
}
