// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The programs under test: those of the same build as this test bundle.
enum Binaries {
    static let navsyncd = find("navsyncd")
    static let navsyncctl = find("navsyncctl")
    /// The library that traces a process's calls; nil when it was not built.
    static var syscallTrace: String? {
        let path = find("libSyscallTrace.so")
        return Files.exists(path) ? path : nil
    }

    private static func find(_ name: String) -> String {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let own = String(decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        let candidates = [own] + CommandLine.arguments
        for candidate in candidates {
            guard let slash = candidate.lastIndex(of: "/") else { continue }
            let path = candidate[..<slash] + "/" + name
            if access(String(path), X_OK) == 0 { return String(path) }
        }
        return "\(Samples.root)/.build/debug/\(name)"
    }
}
