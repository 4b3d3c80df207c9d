// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Whether what is written to a descriptor ends in the journal.
package enum JournalStream {
    /// True when `environment` (the value of JOURNAL_STREAM, "device:inode") names the file behind `descriptor`.
    ///
    /// The variable is inherited by children whose stderr goes elsewhere, so its mere presence says nothing.
    package static func isConnected(to descriptor: Int32, environment: String?) -> Bool {
        guard let parts = environment?.split(separator: ":", omittingEmptySubsequences: false), parts.count == 2,
            let device = UInt64(parts[0]), let inode = UInt64(parts[1])
        else { return false }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return UInt64(status.st_dev) == device && UInt64(status.st_ino) == inode
    }
}
