// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavStore
import NavSync
import NavTestSupport

/// A directory of its own for one test, removed when the test lets go of it.
final class TemporaryDirectory {
    let path: String

    /// `inMemory` is for tests that model the disk themselves and need no real one.
    init(inMemory: Bool = false) throws {
        let memory = URL(filePath: "/dev/shm")
        let isThere = FileManager.default.isWritableFile(atPath: memory.path)
        let parent = inMemory && isThere ? memory : FileManager.default.temporaryDirectory
        let url = parent.appending(path: "navstore-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var database: String { path + "/stacks.sqlite" }

    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    func mode(_ file: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + file)
        return (attributes[.posixPermissions] as? Int) ?? -1
    }
}

/// Opens the store of a directory. Random numbers come from `seed`.
func openStore(
    _ directory: TemporaryDirectory, limits: StoreLimits = .default, seed: UInt64 = 1, wallMilliseconds: UInt64 = 1_000
) throws(StoreError) -> (store: SQLiteStore, recovered: RecoveredState) {
    var random = SeededGenerator(seed: seed)
    return try SQLiteStore.open(
        directory: directory.path, node: BatchMaker.node, limits: limits, wallMilliseconds: wallMilliseconds,
        random: { random.next() })
}
