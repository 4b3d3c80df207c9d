// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavPosix

/// A directory that is gone when the test ends, with a path short enough for a socket.
final class Scratch {
    let path: String

    init() throws {
        var template = Array("/tmp/nav.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw PosixError.last("make a scratch directory") }
        path = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Scratch.remove(path) }

    func file(_ name: String) -> String { path + "/" + name }

    func write(_ name: String, _ text: String) throws {
        try AtomicFile.write(Array(text.utf8), to: file(name), mode: 0o600)
    }

    static func mode(_ path: String) -> UInt32? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    static func inode(_ path: String) -> UInt? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_ino : nil
    }

    private static func remove(_ path: String) {
        if let directory = opendir(path) {
            while let entry = readdir(directory) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                guard name != ".", name != ".." else { continue }
                let child = path + "/" + name
                if unlink(child) != 0 { remove(child) }
            }
            closedir(directory)
        }
        rmdir(path)
    }
}

struct TimedOut: Error { let what: String }

extension EventLoop {
    /// Runs until `isDone`, or fails after ten seconds.
    func run(until what: String, _ isDone: @escaping () -> Bool) throws {
        var hasTimedOut = false
        let guardTimer = makeTimer {
            hasTimedOut = true
            self.stop()
        }
        guardTimer.arm(at: SystemClock.monotonicNanoseconds() + 10_000_000_000)
        defer { guardTimer.cancel() }
        try run { if isDone() { self.stop() } }
        if hasTimedOut, !isDone() { throw TimedOut(what: what) }
    }
}
