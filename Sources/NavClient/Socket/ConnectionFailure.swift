// SPDX-License-Identifier: Apache-2.0
import Glibc

extension NavClientError {
    @inline(never)
    static func invalidAddress(_ reason: String, hint: String) -> Self {
        Self(code: .invalidAddress, reason: reason, hint: hint)
    }

    @inline(never)
    static func connectionLost(_ reason: String) -> Self {
        Self(
            code: .connectionLost, reason: "the connection to the daemon was lost: \(reason)",
            hint: "see the daemon's log (journalctl -u navsyncd), then try again")
    }

    @inline(never)
    static func deadlineExceeded(_ doing: String) -> Self {
        Self(
            code: .deadlineExceeded, reason: "the time for this call is over while \(doing)",
            hint: "the daemon may be busy or stopped; try again, or allow more time")
    }

    static let cancelled = Self(code: .cancelled, reason: "the call was cancelled")

    /// Each way in which a socket can fail has its own sentence and its own advice.
    @inline(never)
    static func cannotConnect(_ address: DaemonAddress, _ code: Int32) -> Self {
        let start = "start the daemon: 'systemctl start navsyncd', or 'navsyncd' for your own"
        let path = address.path
        switch code {
        case ENOENT:
            return Self(
                code: .unreachable, reason: "there is no socket at \(path)",
                hint: "\(start); or name its socket (NAVSYNC_SOCKET)")
        case ECONNREFUSED where !isSocket(path):
            return Self(
                code: .unreachable, reason: "\(path) is not a socket", hint: "name the daemon's socket (NAVSYNC_SOCKET)"
            )
        case ECONNREFUSED:
            return Self(
                code: .unreachable, reason: "the socket \(path) is dead: no daemon listens there any more", hint: start)
        case EACCES, EPERM:
            return Self(
                code: .unreachable, reason: "you may not use the socket \(path): \(systemMessage(code))",
                hint: "join the group that owns it ('sudo usermod -aG navsync $USER', then log in again)")
        case ENOTDIR:
            return Self(
                code: .unreachable, reason: "a part of the path \(path) is not a directory",
                hint: "name the daemon's socket (NAVSYNC_SOCKET)")
        default:
            return Self(code: .unreachable, reason: "cannot connect to \(path): \(systemMessage(code))", hint: start)
        }
    }

    private static func isSocket(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }
}
