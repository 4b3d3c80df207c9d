// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The checkout that the tests were built from.
enum Repository {
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/")

    static func bytes(_ path: String) throws -> [UInt8] {
        guard let file = fopen("\(root)/\(path)", "r") else { throw Missing(description: "\(path) cannot be read") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
        return bytes
    }

    static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }
}
