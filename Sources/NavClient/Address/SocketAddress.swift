// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A `DaemonAddress` in the form that `connect` takes.
struct SocketAddress {
    let family: Int32
    private let storage: [UInt8]

    init(_ address: DaemonAddress) {
        switch address.kind {
        case .unix(let path): self.init(unixPath: path)
        case .tcp(let host, let port): self.init(host: host, port: port)
        }
    }

    /// Whether a host is written as a number, and whether it is this machine; nil when it is not a number.
    static func isLoopback(_ host: String) -> Bool? {
        var four = in_addr()
        if inet_pton(AF_INET, host, &four) == 1 { return UInt32(bigEndian: four.s_addr) >> 24 == 127 }
        var six = in6_addr()
        guard inet_pton(AF_INET6, host, &six) == 1 else { return nil }
        return withUnsafeBytes(of: six) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result? {
        storage.withUnsafeBytes { bytes in
            bytes.baseAddress.map { body($0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) }
        }
    }

    private init(unixPath path: String) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // `DaemonAddress` has checked that the path and its closing zero fit.
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        family = AF_UNIX
        storage = withUnsafeBytes(of: address) { Array($0) }
    }

    private init(host: String, port: UInt16) {
        var four = sockaddr_in()
        if inet_pton(AF_INET, host, &four.sin_addr) == 1 {
            four.sin_family = sa_family_t(AF_INET)
            four.sin_port = port.bigEndian
            family = AF_INET
            storage = withUnsafeBytes(of: four) { Array($0) }
            return
        }
        var six = sockaddr_in6()
        inet_pton(AF_INET6, host, &six.sin6_addr)
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_port = port.bigEndian
        family = AF_INET6
        storage = withUnsafeBytes(of: six) { Array($0) }
    }
}
