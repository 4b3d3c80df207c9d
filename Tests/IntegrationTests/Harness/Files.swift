// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

/// A folder of a test's own, with everything in it removed at the end.
final class Scratch {
    let path: String

    init() throws {
        var template = Array("/tmp/navsync-it-XXXXXX".utf8CString)
        path = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    deinit { Files.removeTree(path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file and returns its path.
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Files.write(bytes, to: file(name))
        return file(name)
    }
}

enum Files {
    static func read(_ path: String) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw HarnessError("cannot open \(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = Glibc.read(descriptor, &piece, piece.count), count > 0 { bytes += piece[..<count] }
        return bytes
    }

    static func text(_ path: String) throws -> String { String(decoding: try read(path), as: UTF8.self) }

    static func write(_ bytes: [UInt8], to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw HarnessError("cannot write \(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw HarnessError("short write \(path)")
        }
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    static func names(in directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    static func removeTree(_ path: String) {
        for name in names(in: path) {
            let child = "\(path)/\(name)"
            if unlink(child) != 0 { removeTree(child) }
        }
        rmdir(path)
    }
}

/// The sample paths in Tests/Samples.
enum Samples {
    static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
        .joined(separator: "/")

    static func path(_ name: String) -> String { "\(root)/Tests/Samples/\(name).json" }

    static func bytes(_ name: String) throws -> [UInt8] { try Files.read(path(name)) }

    /// Every sample; an empty folder is a failure of the test that asks.
    static func names() throws -> [String] {
        let names = Files.names(in: "\(root)/Tests/Samples").filter { $0.hasSuffix(".json") }.map {
            String($0.dropLast(5))
        }
        guard !names.isEmpty else { throw HarnessError("no sample in Tests/Samples") }
        return names
    }
}
