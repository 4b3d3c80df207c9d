// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A TCP port of this machine that lets everybody connect and never says a word.
final class SilentPort {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        let descriptor = socket(
            AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                if bind(descriptor, generic, length) != 0 || listen(descriptor, 16) != 0 { return errno }
                return getsockname(descriptor, generic, &length) == 0 ? 0 : errno
            }
        }
        self.descriptor = descriptor
        port = UInt16(bigEndian: address.sin_port)
        guard code == 0 else { throw HarnessError("no port: \(String(cString: strerror(code)))") }
    }

    deinit { close(descriptor) }

    /// Somebody who connected; the receiver closes the descriptor.
    func accept(within seconds: Double) throws -> Int32 {
        var far: Int32 = -1
        let hasCome = Wait.until(seconds) {
            far = Glibc.accept(descriptor, nil, nil)
            return far >= 0
        }
        guard hasCome else { throw HarnessError("nobody connected within \(seconds) s") }
        _ = fcntl(far, F_SETFD, FD_CLOEXEC)
        _ = fcntl(far, F_SETFL, O_NONBLOCK)
        return far
    }

    /// Whether the other end of a connection is closed, after whatever it has said.
    static func hasEnded(_ descriptor: Int32) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
    }
}
