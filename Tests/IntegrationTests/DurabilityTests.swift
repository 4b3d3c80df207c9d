// SPDX-License-Identifier: Apache-2.0
import NavClient
import NavTestSupport
import NavWire
import Testing

/// A kill proves nothing about the disk, because the kernel keeps what was written. So the calls of a running daemon
/// are traced, and the trace must show that a sync had returned before each acknowledgement left.
@Suite struct DurabilityTests {
    private func traced(_ scratch: Scratch, failing: String? = nil) throws -> [String: String] {
        var environment = [
            "LD_PRELOAD": try #require(Binaries.syscallTrace, "libSyscallTrace.so was not built"),
            "SYSCALL_TRACE": scratch.file("trace"), "SYSCALL_TRACE_UNDER": scratch.file("a"),
        ]
        if let failing { environment["SYSCALL_TRACE_FAIL"] = failing }
        return environment
    }

    @Test func aSyncOfTheStoreReturnsBeforeEachAcknowledgementIsSent() throws {
        let scratch = try Scratch()
        let trace = scratch.file("trace")
        let daemon = try Daemon(scratch, "a", environment: traced(scratch))
        let pushes = 25
        let session = try daemon.session()
        let envelope = try PathEnvelope.encode(SwiftUIJSON.decode(Samples.bytes("shop")))
        for index in 0..<pushes {
            _ = try session.push(
                envelope, to: "s\(index)", expecting: .anything, deadline: .after(milliseconds: 10_000))
        }
        let calls = try SyscallTraceLog(Files.text(trace)).entries.map(\.call).filter { $0 == "sync" || $0 == "send" }
        // From the end: the acknowledgement of each push, and at least one sync between it and the one before.
        var rest = calls[...]
        for index in (0..<pushes).reversed() {
            // What the store writes after an acknowledgement belongs to no push.
            while rest.last == "sync", index == pushes - 1 { rest.removeLast() }
            try #require(rest.popLast() == "send", "the acknowledgement of push \(index) is not in the trace")
            #expect(rest.last == "sync", "push \(index) was acknowledged before a sync")
            while rest.last == "sync" { rest.removeLast() }
        }
        #expect(rest.last == "send", "the trace does not begin with the hello")
    }

    @Test func afterASyncThatFailedNothingIsAcknowledgedAndTheDaemonEnds() throws {
        let scratch = try Scratch()
        // The daemon is given some syncs to start with; the first that fails is found by pushing until one does.
        let daemon = try Daemon(scratch, "a", environment: traced(scratch, failing: "sync:40:5"))
        let session = try daemon.session()
        let envelope = try PathEnvelope.encode(SwiftUIJSON.decode(Samples.bytes("shop")))
        var acknowledged: [String] = []
        var failure: NavClientError?
        while failure == nil, acknowledged.count < 200 {
            let name = "s\(acknowledged.count)"
            do throws(NavClientError) {
                _ = try session.push(envelope, to: name, expecting: .anything, deadline: .after(milliseconds: 10_000))
                acknowledged.append(name)
            } catch {
                failure = error
            }
        }
        let code = try #require(failure?.code)
        #expect([.refused, .connectionLost].contains(code), "\(code)")
        #expect(daemon.wait(within: 5) == .exited(1))
        let again = try Daemon(scratch, "a", environment: [:])
        let present = try again.session().list(prefix: "", deadline: .after(milliseconds: 10_000)).map(\.name)
        #expect(Set(acknowledged).isSubset(of: present))
    }
}
