// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A `DaemonAddress` in the form that `connect` takes.
struct SocketAddress {
    private var storage = sockaddr_un()

    init(_ address: DaemonAddress) {
        storage.sun_family = sa_family_t(AF_UNIX)
        // `DaemonAddress` has checked that the path and its closing zero fit.
        withUnsafeMutableBytes(of: &storage.sun_path) { $0.copyBytes(from: address.path.utf8.prefix($0.count - 1)) }
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
