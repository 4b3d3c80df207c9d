// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavClient
import NavSync

/// The file of a Unix socket that nobody listens at any more, as a killed daemon leaves it.
final class DeadSocket {
    let path: String
    private let directory: String

    init() throws {
        var template = Array("/tmp/navclient-test-XXXXXX".utf8CString)
        directory = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
        path = directory + "/dead"
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
    }

    deinit {
        unlink(path)
        rmdir(directory)
    }
}
