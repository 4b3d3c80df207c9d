// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavPosix
import Testing

/// The umask and the limit of descriptors belong to a whole process: what changes them runs in one of its own.
@Suite struct UnixSocketFileTests {
    @Test func theModeIsWhatWasAskedForWhateverTheUmask() async {
        await #expect(processExitsWith: .success) {
            for mask in [0o000, 0o077, 0o777] as [mode_t] {
                let scratch = try Scratch()
                let before = umask(mask)
                defer { umask(before) }
                let path = scratch.file("made/x.sock")
                let socket = try BoundSocket.unix(path: path, mode: 0o660, group: nil)
                #expect(Scratch.mode(path) == 0o660)
                #expect(Scratch.mode(scratch.file("made")) == 0o750)
                close(socket.descriptor)
            }
        }
    }

    @Test func aDeadSocketIsReplaced() throws {
        let scratch = try Scratch()
        let path = scratch.file("x.sock")
        for _ in 0..<50 {
            let socket = try BoundSocket.unix(path: path, mode: 0o660, group: nil)
            // As a killed process leaves it: closed, and the file still there.
            close(socket.descriptor)
        }
        #expect(Scratch.inode(path) != nil)
    }

    @Test func aLiveSocketIsLeftAloneEvenWhenNobodyAccepts() throws {
        let scratch = try Scratch()
        let path = scratch.file("x.sock")
        let live = try BoundSocket.unix(path: path, mode: 0o660, group: nil)
        defer { close(live.descriptor) }
        let inode = Scratch.inode(path)
        #expect {
            try BoundSocket.unix(path: path, mode: 0o660, group: nil)
        } throws: {
            ($0 as? PosixError)?.errno == EADDRINUSE && "\($0)".contains("another process listens there")
        }
        #expect(Scratch.inode(path) == inode)
    }

    @Test func whoHoldsTheDirectorysLockKeepsNobodyFromListening() throws {
        let scratch = try Scratch()
        let holder = open(scratch.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(holder) }
        #expect(flock(holder, LOCK_SH) == 0)
        let socket = try BoundSocket.unix(path: scratch.file("x.sock"), mode: 0o660, group: nil)
        close(socket.descriptor)
        #expect(Scratch.mode(scratch.file("x.sock")) == 0o660)
    }

    @Test func aFileThatIsNoSocketIsLeftAlone() throws {
        let scratch = try Scratch()
        try scratch.write("x.sock", "precious")
        #expect {
            try BoundSocket.unix(path: scratch.file("x.sock"), mode: 0o660, group: nil)
        } throws: {
            "\($0)".contains("not a socket")
        }
        #expect(try AtomicFile.read(scratch.file("x.sock"), limit: 99) == Array("precious".utf8))
    }

    @Test func aSocketOfAnotherUserIsLeftAlone() throws {
        // Only root can make a file that belongs to somebody else.
        guard geteuid() == 0 else { return }
        let scratch = try Scratch()
        let path = scratch.file("x.sock")
        close(try BoundSocket.unix(path: path, mode: 0o660, group: nil).descriptor)
        #expect(lchown(path, 65534, 65534) == 0)
        #expect {
            try BoundSocket.unix(path: path, mode: 0o660, group: nil)
        } throws: {
            "\($0)".contains("belongs to user 65534")
        }
        #expect(Scratch.inode(path) != nil)
    }

    @Test func aClosedListenerRemovesItsOwnFileOnly() throws {
        let scratch = try Scratch()
        let path = scratch.file("x.sock")
        let loop = try EventLoop()
        let listener = try makeListener(loop, try .unix(path: path, mode: 0o660, group: nil)) { close($0.descriptor) }
        listener.close()
        #expect(Scratch.inode(path) == nil)

        let second = try makeListener(loop, try .unix(path: path, mode: 0o660, group: nil)) { close($0.descriptor) }
        unlink(path)
        try scratch.write("x.sock", "somebody else's")
        second.close()
        #expect(Scratch.inode(path) != nil)
    }

    @Test func anInheritedSocketIsAdoptedAndItsFileStays() throws {
        let scratch = try Scratch()
        let path = scratch.file("x.sock")
        let made = try BoundSocket.unix(path: path, mode: 0o660, group: nil)
        let adopted = try BoundSocket.adopting(InheritedSocket(descriptor: made.descriptor, name: "client"))
        #expect(adopted.address == .unix(path: path))
        #expect(adopted.isInherited)
        let loop = try EventLoop()
        try makeListener(loop, adopted) { close($0.descriptor) }.close()
        #expect(Scratch.inode(path) != nil)
    }

    @Test func aDescriptorThatDoesNotListenIsNotAdopted() throws {
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        #expect(throws: PosixError.self) {
            try BoundSocket.adopting(InheritedSocket(descriptor: ends[0], name: "client"))
        }
        for end in ends { close(end) }
    }

    @Test func aListenerThatCannotListenLeavesNoDescriptor() async {
        await #expect(processExitsWith: .success) {
            let loop = try EventLoop()
            let host = try #require(IPAddress("127.0.0.1"))
            let before = descriptorCount()
            for _ in 0..<50 {
                let first = try BoundSocket.tcp(host: host, port: 0)
                guard case .tcp(_, let port) = first.address else { throw TimedOut(what: "a port") }
                // Both are bound before either listens.
                let second = try BoundSocket.tcp(host: host, port: port)
                let listener = try makeListener(loop, first) { close($0.descriptor) }
                #expect(throws: PosixError.self) { try makeListener(loop, second) { close($0.descriptor) } }
                listener.close()
            }
            // A few more or less are those of other threads.
            #expect(descriptorCount() < before + 20)
        }
    }

    @Test func exhaustedDescriptorsPauseAcceptingAreReportedOnceAndHeal() async {
        await #expect(processExitsWith: .success) { try exhaustDescriptors() }
    }
}

private func exhaustDescriptors() throws {
    let scratch = try Scratch()
    let path = scratch.file("x.sock")
    let loop = try EventLoop()
    var accepted: [Int32] = []
    var reports: [PosixError] = []
    let listener = try Listener(
        loop: loop, socket: try .unix(path: path, mode: 0o660, group: nil),
        onAccept: { accepted.append($0.descriptor) }, onExhaustion: { reports.append($0) })
    defer { listener.close() }
    let clients = try (0..<8).map { _ in try connectBlocking(path) }
    defer { for client in clients { close(client) } }

    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #expect(getrlimit(resource, &limit) == 0)
    let lowest = open("/dev/null", O_RDONLY)
    close(lowest)
    var low = limit
    low.rlim_cur = rlim_t(lowest) + 3
    #expect(setrlimit(resource, &low) == 0)
    var isOver = false
    let end = loop.makeTimer { isOver = true }
    end.arm(at: SystemClock.monotonicNanoseconds() + 120_000_000)
    try loop.run(until: "a shortage") { isOver }
    #expect(setrlimit(resource, &limit) == 0)
    // Not once for each connection or each trial; twice when a trial in between found a descriptor.
    #expect(Set(reports.map(\.errno)) == [EMFILE] && reports.count <= 2)
    #expect(accepted.count < 8)

    let before = accepted.count
    let late = try connectBlocking(path)
    defer { close(late) }
    try loop.run(until: "accepting goes on") { accepted.count > before }
    for descriptor in accepted { close(descriptor) }
}

/// The descriptors of this process.
func descriptorCount() -> Int {
    guard let directory = opendir("/proc/self/fd") else { return -1 }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    return count
}

func makeListener(
    _ loop: EventLoop, _ socket: BoundSocket, onAccept: @escaping (AcceptedSocket) -> Void
) throws -> Listener {
    try Listener(loop: loop, socket: socket, onAccept: onAccept, onExhaustion: { Issue.record("\($0)") })
}

func connectBlocking(_ path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    guard result == 0 else { throw PosixError.last("connect to \(path)") }
    return descriptor
}
