// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavPosix
import Testing

@Suite struct DirectoryLockTests {
    @Test func theSecondIsToldWhoHasIt() throws {
        let scratch = try Scratch()
        guard case .acquired(let lock) = try DirectoryLock.acquire(in: scratch.path) else {
            Issue.record("a free lock was not given")
            return
        }
        guard case .held(let holder) = try DirectoryLock.acquire(in: scratch.path) else {
            Issue.record("the lock was given twice")
            return
        }
        #expect(holder == getpid())
        withExtendedLifetime(lock) {}
    }

    @Test func theLockIsFreeAgainWhenItsHolderIsGone() throws {
        let scratch = try Scratch()
        for _ in 0..<3 {
            guard case .acquired = try DirectoryLock.acquire(in: scratch.path) else {
                Issue.record("the lock of a holder that is gone was not given")
                return
            }
        }
        #expect(Scratch.mode(scratch.file("lock")) == 0o600)
    }

    /// Whose directory it is can put another in its place.
    @Test func aDirectoryOfAnotherUserIsRefused() throws {
        let scratch = try Scratch()
        try Directory.create(scratch.file("state"), mode: 0o755)
        try Directory.checkOnlyOwnerWrites(scratch.file("state"))
        // Only root can give one away; for everybody else there are root's.
        let isRoot = geteuid() == 0
        if isRoot { #expect(chown(scratch.file("state"), 65_534, 65_534) == 0) }
        #expect(throws: PosixError.self) { try Directory.checkOnlyOwnerWrites(isRoot ? scratch.file("state") : "/usr") }
    }

    @Test func aDirectoryIsMadeWithItsParents() throws {
        let scratch = try Scratch()
        try Directory.create(scratch.file("a/b/c"), mode: 0o750)
        #expect(Scratch.mode(scratch.file("a/b/c")) == 0o750)
        #expect(Scratch.mode(scratch.file("a")) == 0o750)
        try scratch.write("plain", "x")
        #expect(throws: PosixError.self) { try Directory.create(scratch.file("plain"), mode: 0o750) }
        #expect(throws: PosixError.self) { try Directory.create(scratch.file("plain/x"), mode: 0o750) }
    }
}

@Suite struct PosixErrorTests {
    @Test func anErrorSaysWhatWasDoneWhyItFailedAndWhatToDo() {
        let error = PosixError(errno: EACCES, operation: "bind /x", hint: "try y")
        #expect(error.description == "bind /x: permission denied; try y")
        #expect(PosixError.text(of: 99_999).contains("99999"))
    }
}
