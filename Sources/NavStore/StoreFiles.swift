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
    func createDatabase() throws(StoreError) {
        let file = open(database, O_CREAT | O_RDWR | O_CLOEXEC, Self.mode)
        guard file >= 0 else { throw .system("create \(database)", errno) }
        defer { close(file) }
        guard fchmod(file, Self.mode) == 0 else { throw .system("set the mode of \(database)", errno) }
        try synchronise(directory, O_DIRECTORY)
    }

    /// Takes away what a wider umask or a copy has given to others.
    func restrictModes() throws(StoreError) {
        for path in [database, writeAheadLog, sharedMemory] {
            guard chmod(path, Self.mode) == 0 || errno == ENOENT else {
                throw .system("set the mode of \(path)", errno)
            }
        }
    }

    var hasMarker: Bool { access(marker, F_OK) == 0 }

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

    /// Renames the database and its log to names that end in `label`; the new name of the database.
    func setAside(label: String) throws(StoreError) -> String {
        let kept = "\(database).damaged-\(label)"
        guard rename(database, kept) == 0 else { throw .system("set \(database) aside", errno) }
        guard rename(writeAheadLog, kept + "-wal") == 0 || errno == ENOENT else {
            throw .system("set \(writeAheadLog) aside", errno)
        }
        guard unlink(sharedMemory) == 0 || errno == ENOENT else { throw .system("remove \(sharedMemory)", errno) }
        try synchronise(directory, O_DIRECTORY)
        return kept
    }

    private func synchronise(_ path: String, _ flags: Int32) throws(StoreError) {
        let file = open(path, O_RDONLY | O_CLOEXEC | flags)
        guard file >= 0 else { throw .system("open \(path)", errno) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw .system("fsync \(path)", errno) }
    }
}
