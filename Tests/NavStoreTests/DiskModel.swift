// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport

/// A disk that keeps only what it was told to keep: writes wait until their file is synchronised, names until their
/// directory is. A crash keeps any of what waits.
struct DiskModel {
    enum Change {
        case write(offset: Int, bytes: ArraySlice<UInt8>)
        case truncate(length: Int)
    }

    enum NameChange {
        case link(String, inode: Int)
        case rename(String, to: String)
        case unlink(String)
    }

    /// What a crash keeps of the changes that were waiting.
    enum Survivors {
        case none
        case all
        /// Any of them, in any combination, some cut at a sector.
        case some(seed: UInt64)
    }

    private struct Inode {
        var content: [UInt8] = []
        var waiting: [Change] = []
    }

    private static let sectorByteCount = 512

    private var inodes: [Inode] = []
    private var names: [String: Int] = [:]
    private var durableNames: [String: Int] = [:]
    private var waitingNames: [NameChange] = []
    private let data: [UInt8]

    /// `data` is what SYSCALL_TRACE_DATA has collected.
    init(data: [UInt8]) { self.data = data }

    mutating func apply(_ entry: SyscallTraceLog.Entry) {
        guard entry.integer("result") ?? 0 >= 0 else { return }
        switch entry.call {
        case "open": open(entry)
        case "write":
            guard let start = entry.integer("data"), let count = entry.integer("result") else { return }
            wait(entry.path, .write(offset: entry.integer("offset") ?? 0, bytes: data[start..<start + count]))
        case "truncate": wait(entry.path, .truncate(length: entry.integer("length") ?? 0))
        case "sync": synchronise(entry)
        case "rename":
            let target = entry.values["to"] ?? ""
            Self.apply(.rename(entry.path, to: target), to: &names)
            waitingNames.append(.rename(entry.path, to: target))
        case "unlink":
            Self.apply(.unlink(entry.path), to: &names)
            waitingNames.append(.unlink(entry.path))
        default: break
        }
    }

    private mutating func open(_ entry: SyscallTraceLog.Entry) {
        guard entry.integer("made") == 1 else { return wait(entry.path, .truncate(length: 0)) }
        inodes.append(Inode())
        names[entry.path] = inodes.count - 1
        waitingNames.append(.link(entry.path, inode: inodes.count - 1))
    }

    private mutating func wait(_ path: String, _ change: Change) {
        guard let inode = names[path] else { return }
        inodes[inode].waiting.append(change)
    }

    private mutating func synchronise(_ entry: SyscallTraceLog.Entry) {
        if entry.kind == "directory" {
            for change in waitingNames { Self.apply(change, to: &durableNames) }
            waitingNames = []
        } else if let inode = names[entry.path] {
            for change in inodes[inode].waiting { Self.apply(change, to: &inodes[inode].content) }
            inodes[inode].waiting = []
        }
    }

    /// The files after a crash at this point.
    func crash(_ survivors: Survivors) -> [String: [UInt8]] {
        var random = SeededGenerator(seed: 0)
        var found = durableNames
        switch survivors {
        case .none: break
        case .all: for change in waitingNames { Self.apply(change, to: &found) }
        case .some(let seed):
            random = SeededGenerator(seed: seed)
            // A journaling file system keeps the order of its names.
            let count = Int(random.next() % UInt64(waitingNames.count + 1))
            for change in waitingNames[..<count] { Self.apply(change, to: &found) }
        }
        return found.mapValues { inode in content(inodes[inode], survivors, &random) }
    }

    private func content(_ inode: Inode, _ survivors: Survivors, _ random: inout SeededGenerator) -> [UInt8] {
        var content = inode.content
        for change in inode.waiting {
            switch survivors {
            case .none: continue
            case .all: Self.apply(change, to: &content)
            case .some:
                let fate = random.next() % 4
                if fate == 0 { continue }
                Self.apply(fate == 1 ? Self.torn(change, &random) : change, to: &content)
            }
        }
        return content
    }

    private static func torn(_ change: Change, _ random: inout SeededGenerator) -> Change {
        guard case .write(let offset, let bytes) = change, bytes.count > sectorByteCount else { return change }
        let sectors = 1 + Int(random.next() % UInt64(bytes.count / sectorByteCount))
        return .write(offset: offset, bytes: bytes.prefix(sectors * sectorByteCount))
    }

    private static func apply(_ change: Change, to content: inout [UInt8]) {
        switch change {
        case .truncate(let length): resize(&content, length)
        case .write(let offset, let bytes):
            if content.count < offset + bytes.count { resize(&content, offset + bytes.count) }
            content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        }
    }

    private static func resize(_ content: inout [UInt8], _ length: Int) {
        if content.count > length {
            content.removeLast(content.count - length)
        } else {
            content += [UInt8](repeating: 0, count: length - content.count)
        }
    }

    private static func apply(_ change: NameChange, to names: inout [String: Int]) {
        switch change {
        case .link(let path, let inode): names[path] = inode
        case .rename(let path, let target): names[target] = names.removeValue(forKey: path) ?? names[target]
        case .unlink(let path): names.removeValue(forKey: path)
        }
    }
}
