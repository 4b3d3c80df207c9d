// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Room that is kept for the moment when the disk is full: who wants to make room must be able to write that he does.
///
/// A file of zeros, really written, that is removed when a batch of removals finds no room, and made again once there
/// is four times as much, so that it does not come and go at the edge.
struct Reserve {
    let files: StoreFiles
    let byteCount: Int

    var isThere: Bool { files.exists(files.reserve) }

    /// Makes the file if there is plenty of room. Best effort: without it the store works until the disk is full.
    func makeIfRoomy() {
        guard byteCount > 0, !isThere, files.freeByteCount >= 4 * byteCount else { return }
        let file = open(files.reserve, O_CREAT | O_WRONLY | O_CLOEXEC, StoreFiles.mode)
        guard file >= 0 else { return }
        defer { close(file) }
        let zeros = [UInt8](repeating: 0, count: 1 << 16)
        var left = fchmod(file, StoreFiles.mode) == 0 ? byteCount : 0
        while left > 0 {
            let count = write(file, zeros, min(left, zeros.count))
            guard count > 0 else { break }
            left -= count
        }
        if left > 0 || fsync(file) != 0 { unlink(files.reserve) }
    }

    /// Gives the room back to the file system; false when there is none to give.
    func release() -> Bool {
        guard unlink(files.reserve) == 0 else { return false }
        // Some file systems free the blocks when the removal is on disk. If it cannot be, the retry says so.
        try? files.synchroniseDirectory()
        return true
    }
}
