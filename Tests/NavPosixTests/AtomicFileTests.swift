// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavPosix
import Testing

@Suite struct AtomicFileTests {
    @Test func replacesTheFileAndItsMode() throws {
        let directory = try ScratchDirectory()
        let path = directory.path + "/f"
        try AtomicFile.write(Array("one".utf8), to: path, mode: 0o644)
        try AtomicFile.write(Array("two".utf8), to: path, mode: 0o600)
        #expect(try directory.text(of: "f") == "two")
        #expect(try directory.mode(of: "f") == 0o600)
        #expect(!directory.exists("f.tmp"))
    }

    @Test func anOldTemporaryFileOrLinkIsNotWrittenThrough() throws {
        let directory = try ScratchDirectory()
        try directory.write("victim", to: "victim")
        symlink(directory.path + "/victim", directory.path + "/f.tmp")
        try AtomicFile.write(Array("new".utf8), to: directory.path + "/f", mode: 0o600)
        #expect(try directory.text(of: "victim") == "victim")
        #expect(try directory.text(of: "f") == "new")
    }

    @Test func aFailedWriteKeepsTheOldFile() throws {
        let directory = try ScratchDirectory()
        let path = directory.path + "/f"
        mkdir(path, 0o700)
        #expect(throws: PosixError.self) { try AtomicFile.write([1], to: path, mode: 0o600) }
        #expect(directory.exists("f"))
    }

    @Test func readsUpToTheLimit() throws {
        let directory = try ScratchDirectory()
        try directory.write("12345", to: "f")
        #expect(try AtomicFile.read(directory.path + "/f", limit: 5) == Array("12345".utf8))
        #expect(throws: PosixError.self) {
            try AtomicFile.read(directory.path + "/f", limit: 4)
        }
        #expect(try AtomicFile.read(directory.path + "/absent", limit: 4) == nil)
    }
}
