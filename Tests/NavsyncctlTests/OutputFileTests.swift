// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import navsyncctl

@Suite struct OutputFileTests {
    @Test func writesAFileThatWasNotThereAndReplacesOneThatWas() throws {
        try withDirectory { directory in
            let path = "\(directory)/out"
            try OutputFile.write(Array("one".utf8), to: path)
            #expect(try InputFile.read(path) == Array("one".utf8))
            try #require(chmod(path, 0o640) == 0)
            try OutputFile.write(Array("two".utf8), to: path)
            #expect(try InputFile.read(path) == Array("two".utf8))
            var status = stat()
            try #require(stat(path, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o640)
        }
    }

    @Test func writesThroughALinkAndThroughADevice() throws {
        try withDirectory { directory in
            try OutputFile.write(Array("one".utf8), to: "\(directory)/target")
            try #require(symlink("\(directory)/target", "\(directory)/link") == 0)
            try OutputFile.write(Array("two".utf8), to: "\(directory)/link")
            #expect(try InputFile.read("\(directory)/target") == Array("two".utf8))
            var status = stat()
            try #require(lstat("\(directory)/link", &status) == 0)
            #expect(status.st_mode & S_IFMT == S_IFLNK)
            try OutputFile.write([1], to: "/dev/null")
        }
    }

    @Test func aFolderThatIsNotThereIsAFailureThatLeavesNothing() throws {
        try withDirectory { directory in
            #expect(throws: CommandFailure.self) { try OutputFile.write([1], to: "\(directory)/no/out") }
            #expect(rmdir("\(directory)/no") != 0)
        }
    }

    @Test func aMissingInputIsBadInput() {
        #expect {
            try InputFile.read("/nonexistent/path.json")
        } throws: {
            ($0 as? CommandFailure)?.status == .badInput
        }
    }

    private func withDirectory(_ body: (String) throws -> Void) throws {
        var template = Array("/tmp/navsyncctl-test-XXXXXX".utf8CString)
        let name = try #require(mkdtemp(&template).map { String(cString: $0) })
        defer {
            for file in ["out", "link", "target"] { unlink("\(name)/\(file)") }
            rmdir(name)
        }
        try body(name)
    }
}
