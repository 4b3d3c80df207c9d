// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The pages of a SQLite database and of its write-ahead log as bytes, without SQLite. Nothing here trusts the files:
/// a number that does not fit yields no page.
///
/// Source: "Database File Format" and "WAL-mode File Format", sqlite.org.
final class PageFile {
    let pageByteCount: Int
    private let database: Int32
    private let log: Int32
    private let databasePageCount: Int
    private let frameCount: Int
    /// Page numbers of the log's frames of its current generation, by position.
    private var framePages: [Int: Int] = [:]
    /// The last frame of a page.
    private var newestFrame: [Int: Int] = [:]

    private static let logHeaderByteCount = 32
    private static let frameHeaderByteCount = 24

    /// Opens what is there; a missing log is an empty one. `fallback` is the page size when no header tells it.
    init(database path: String, log logPath: String, fallback: Int) throws(StoreError) {
        database = open(path, O_RDONLY | O_CLOEXEC)
        guard database >= 0 else { throw .system("open \(path)", errno) }
        log = open(logPath, O_RDONLY | O_CLOEXEC)
        let header = Self.read(database, at: 0, count: 100)
        let logHeader = Self.read(log, at: 0, count: Self.logHeaderByteCount)
        pageByteCount =
            Self.pageSize(header.map { Self.big16($0, 16) })
            ?? Self.pageSize(logHeader.map { Self.big32($0, 8) }) ?? fallback
        databasePageCount = Self.byteCount(database) / pageByteCount
        frameCount =
            max(0, Self.byteCount(log) - Self.logHeaderByteCount) / (Self.frameHeaderByteCount + pageByteCount)
        if let logHeader { readFrameHeaders(salts: Array(logHeader[16..<24])) }
    }

    deinit {
        close(database)
        if log >= 0 { close(log) }
    }

    /// The leaf pages of the database, then those of the log, one at a time.
    var leaves: some Sequence<LeafPage> {
        let database = (1..<databasePageCount + 1).lazy.compactMap { number in
            self.databasePage(number).flatMap { LeafPage(self, page: $0, number: number) }
        }
        let log = framePages.keys.sorted().lazy.compactMap { frame in
            self.framePage(frame).flatMap { LeafPage(self, page: $0, number: self.framePages[frame] ?? 0) }
        }
        return [AnySequence(database), AnySequence(log)].lazy.joined()
    }

    /// A page by its number: as the log has it, or as the database has it.
    func page(_ number: Int, preferringLog: Bool) -> [UInt8]? {
        if preferringLog, let frame = newestFrame[number] { return framePage(frame) }
        return databasePage(number)
    }

    private func databasePage(_ number: Int) -> [UInt8]? {
        guard number >= 1, number <= databasePageCount else { return nil }
        return Self.read(database, at: (number - 1) * pageByteCount, count: pageByteCount)
    }

    private func framePage(_ frame: Int) -> [UInt8]? {
        Self.read(log, at: frameOffset(frame) + Self.frameHeaderByteCount, count: pageByteCount)
    }

    private func frameOffset(_ frame: Int) -> Int {
        Self.logHeaderByteCount + frame * (Self.frameHeaderByteCount + pageByteCount)
    }

    /// Frames of another generation hold pages that were long since written over: only the current salts count.
    private func readFrameHeaders(salts: [UInt8]) {
        for frame in 0..<frameCount {
            guard let header = Self.read(log, at: frameOffset(frame), count: Self.frameHeaderByteCount),
                header[8..<16].elementsEqual(salts)
            else { continue }
            let number = Self.big32(header, 0)
            framePages[frame] = number
            newestFrame[number] = frame
        }
    }

    private static func pageSize(_ value: Int?) -> Int? {
        guard let value else { return nil }
        let size = value == 1 ? 65_536 : value
        return (512...65_536).contains(size) && size & (size - 1) == 0 ? size : nil
    }

    private static func byteCount(_ file: Int32) -> Int {
        var status = stat()
        return file >= 0 && fstat(file, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Exactly `count` bytes; nil at the end of the file, or where the disk does not give them.
    private static func read(_ file: Int32, at offset: Int, count: Int) -> [UInt8]? {
        guard file >= 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        let got = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, count, off_t(offset)) }
        return got == count ? bytes : nil
    }

    static func big16(_ bytes: [UInt8], _ offset: Int) -> Int { Int(bytes[offset]) << 8 | Int(bytes[offset + 1]) }
    static func big32(_ bytes: [UInt8], _ offset: Int) -> Int {
        big16(bytes, offset) << 16 | big16(bytes, offset + 2)
    }
}
