// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The store's files in the state directory, and their modes: 0600 whatever the umask.
///
/// The marker says that a store was made here. A marker without a store is a disk that is not mounted or a file that
/// was moved away: a new, empty store in its place would be believed by no peer and lose a lone user's stacks.
struct StoreFiles {
    let directory: String

    var database: String { directory + "/stacks.sqlite" }
    var writeAheadLog: String { database + "-wal" }
    var sharedMemory: String { database + "-shm" }
    /// Room for removals when the disk is full.
    var reserve: String { directory + "/stacks.reserve" }
    var marker: String { directory + "/stacks.marker" }

    static let mode: mode_t = 0o600

    /// Bytes of a file; nil when there is none.
    func byteCount(_ path: String) throws(StoreError) -> Int? {
        var status = stat()
        if stat(path, &status) == 0 { return Int(status.st_size) }
        guard errno == ENOENT else { throw .system("stat \(path)", errno) }
        return nil
    }

    /// Makes an empty database file, so that SQLite finds one with the right mode.
    func createDatabase() throws(StoreError) { try createEmpty(database) }

    /// Makes an empty file, or empties one.
    func createEmpty(_ path: String) throws(StoreError) {
        let file = open(path, O_CREAT | O_RDWR | O_TRUNC | O_CLOEXEC, Self.mode)
        guard file >= 0 else { throw .system("create \(path)", errno) }
        defer { close(file) }
        guard fchmod(file, Self.mode) == 0 else { throw .system("set the mode of \(path)", errno) }
        try synchronise(directory, O_DIRECTORY)
    }

    /// Takes away what a wider umask or a copy has given to others.
    func restrictModes() throws(StoreError) {
        for path in [database, writeAheadLog, sharedMemory, reserve] {
            guard chmod(path, Self.mode) == 0 || errno == ENOENT else {
                throw .system("set the mode of \(path)", errno)
            }
        }
    }

    /// The write-ahead log has frames: the store was not closed.
    var hasFrames: Bool {
        let file = open(writeAheadLog, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var magic: UInt32 = 0
        return read(file, &magic, 4) == 4 && magic != 0
    }

    func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    var hasMarker: Bool { exists(marker) }

    /// The checksum seed that the marker names; nil when there is no marker or it cannot be read.
    func readMarker() -> UInt64? {
        let file = open(marker, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(file, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        let key = "seed="
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(key) }) else { return nil }
        return UInt64(line.dropFirst(key.count), radix: 16)
    }

    /// Durable when it returns. Written aside and renamed, so a crash leaves the old marker or the new one.
    func writeMarker(seed: UInt64) throws(StoreError) {
        let temporary = marker + ".tmp"
        let text = "A navsync store belongs into this directory.\nseed=\(String(seed, radix: 16))\n"
        let file = open(temporary, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, Self.mode)
        guard file >= 0 else { throw .system("create \(temporary)", errno) }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard fchmod(file, Self.mode) == 0, write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
            throw .system("write \(temporary)", errno)
        }
        guard rename(temporary, marker) == 0 else { throw .system("rename \(temporary)", errno) }
        try synchronise(directory, O_DIRECTORY)
    }

    /// A database that is being built to replace a damaged one: worth nothing after a crash.
    var building: String { database + "-building" }
    /// The same once it is complete: after a crash it only has to take its place.
    var rebuilt: String { database + "-rebuilt" }
    /// Says that the running store has met damage: the next start rebuilds even if it reads well.
    var suspicion: String { directory + "/stacks.suspect" }

    /// Makes the built database durable under its name.
    func finishBuilding() throws(StoreError) {
        try synchronise(building, 0)
        guard rename(building, rebuilt) == 0 else { throw .system("rename \(building)", errno) }
        try synchronise(directory, O_DIRECTORY)
    }

    /// Sets the damaged database and its log aside under names that end in `label`, and puts the rebuilt one in their
    /// place. A crash between any two steps is mended by doing it again. The new name of the damaged one.
    func replaceDamaged(label: String) throws(StoreError) -> String {
        let kept = "\(database).damaged-\(label)"
        for (path, name) in [(database, kept), (writeAheadLog, kept + "-wal")] {
            guard rename(path, name) == 0 || errno == ENOENT else { throw .system("set \(path) aside", errno) }
        }
        for path in [sharedMemory, suspicion] {
            guard unlink(path) == 0 || errno == ENOENT else { throw .system("remove \(path)", errno) }
        }
        // The log of the damaged one must be away for good before another database stands under its name.
        try synchronise(directory, O_DIRECTORY)
        guard rename(rebuilt, database) == 0 else { throw .system("rename \(rebuilt)", errno) }
        try synchronise(directory, O_DIRECTORY)
        return kept
    }

    /// Best effort: the store is failing already.
    func suspect() {
        let file = open(suspicion, O_CREAT | O_WRONLY | O_CLOEXEC, Self.mode)
        guard file >= 0 else { return }
        fsync(file)
        close(file)
    }

    /// What the file system still gives; 0 when it does not say.
    var freeByteCount: Int {
        var status = statvfs()
        guard statvfs(directory, &status) == 0 else { return 0 }
        let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflow ? .max : Int(clamping: bytes)
    }

    func synchroniseDirectory() throws(StoreError) { try synchronise(directory, O_DIRECTORY) }

    private func synchronise(_ path: String, _ flags: Int32) throws(StoreError) {
        let file = open(path, O_RDONLY | O_CLOEXEC | flags)
        guard file >= 0 else { throw .system("open \(path)", errno) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw .system("fsync \(path)", errno) }
    }
}
