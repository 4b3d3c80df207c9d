// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import NavPosix
import Testing

/// A foreign client, `openssl s_client`, against an accepting endpoint on a loopback socket.
@Suite struct TLSVersionTests {
    @Test(arguments: [
        ["-tls1", "-cipher", "ALL:@SECLEVEL=0"], ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], ["-tls1_2"],
        ["-no_tls1_3", "-alpn", "navsync/1"], ["-tls1_3", "-alpn", "http/1.1"], ["-tls1_3", "-alpn", "navsync/1"],
        ["-tls1_3"],
    ])
    func aStrangerIsRefusedWhateverVersionItSpeaks(_ arguments: [String]) throws {
        let node = try TLSNode()
        let listener = try LoopbackListener()
        let client = Process()
        client.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        client.arguments = ["s_client", "-connect", "127.0.0.1:\(listener.port)"] + arguments
        client.standardInput = FileHandle.nullDevice
        client.standardOutput = FileHandle.nullDevice
        client.standardError = FileHandle.nullDevice
        try client.run()
        let socket = try listener.accept()
        defer { close(socket) }
        let endpoint = try TLSEndpoint(context: node.context, role: .accepting) { _, _ in nil }
        let refusal = serve(endpoint, on: socket)
        shutdown(socket, Int32(SHUT_RDWR))
        client.waitUntilExit()
        #expect(refusal != nil && refusal?.code != .closed, "\(arguments)")
        #expect(!endpoint.isReady && endpoint.peer == nil)
    }

    /// Feeds the endpoint from the socket until it refuses, is ready, or the other end is gone.
    private func serve(_ endpoint: TLSEndpoint, on socket: Int32) -> TLSError? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        var refusal: TLSError?
        while refusal == nil, !endpoint.isReady {
            let count = read(socket, &buffer, buffer.count)
            guard count > 0 else { return nil }
            do throws(TLSError) { _ = try endpoint.receive(Array(buffer[..<count])) } catch { refusal = error }
            let output = endpoint.takeOutput()
            _ = output.withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }
        }
        return refusal
    }
}

/// A blocking TCP listener on a free loopback port. Calls give up after five seconds.
private final class LoopbackListener {
    let port: UInt16
    private let fd: Int32

    init() throws {
        let fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(fd, $0, length) == 0 && listen(fd, 1) == 0 && getsockname(fd, $0, &length) == 0
            }
        }
        guard isBound else { throw PosixError(errno: errno, operation: "listen on loopback") }
        self.fd = fd
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(fd) }

    func accept() throws -> Int32 {
        var deadline = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &deadline, socklen_t(MemoryLayout<timeval>.size))
        let socket = Glibc.accept(fd, nil, nil)
        guard socket >= 0 else { throw PosixError(errno: errno, operation: "accept") }
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &deadline, socklen_t(MemoryLayout<timeval>.size))
        return socket
    }
}
