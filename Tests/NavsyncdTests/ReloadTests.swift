// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavPosix
import Testing

@testable import navsyncd

/// A reload changes all that it says or nothing, and either way no descriptor stays behind: where they are counted, the
/// test has a process of its own.
@Suite struct ReloadTests {
    @Test func anAddressThatTheMachineLacksIsLeftOutAtTheStartAndAtAReload() throws {
        let scratch = try Scratch()
        // Of a block that is kept for documentation.
        let lacking = SocketAddress.tcp(host: "192.0.2.1", port: 0)
        let daemon = try RunningDaemon(in: scratch.path) { $0.listenAddresses = [lacking] }
        try daemon.awaitReady()
        #expect(daemon.count("msg=listen_failed address=tcp:192.0.2.1:0") == 1)
        try daemon.reload { $0.listenAddresses = [lacking, .tcp(host: "127.0.0.1", port: 0)] }
        try waitUntil(seconds: 10, "the reload: \(daemon.lines)") { daemon.has("msg=reloaded") }
        #expect(daemon.count("msg=listen_failed address=tcp:192.0.2.1:0") == 2)
        _ = try HostileLine(daemon.chosenAddress())
        #expect(try daemon.stop() == .success)
    }

    @Test func aReloadWhoseListenersCollideChangesNothing() async {
        await #expect(processExitsWith: .success) { try collide() }
    }

    @Test func aStartWhoseListenersCollideLeavesNoDescriptor() async {
        await #expect(processExitsWith: .success) { try collideAtTheStart() }
    }

    @Test func listenersComeAndGoWithoutADescriptorLeft() async {
        await #expect(processExitsWith: .success) { try comeAndGo() }
    }
}

/// Two names of one port: both can be bound before either listens, and then only one of them may listen.
private func collidingAddresses() throws -> [SocketAddress] {
    let free = try BoundSocket.tcp(host: #require(IPAddress("127.0.0.1")), port: 0)
    defer { close(free.descriptor) }
    guard case .tcp(_, let port) = free.address else { throw TimedOut(what: "a port") }
    return [.tcp(host: "127.0.0.1", port: port), .tcp(host: "localhost", port: port)]
}

private func collide() throws {
    let scratch = try Scratch()
    let daemon = try RunningDaemon(in: scratch.path) { $0.listenAddresses = [.tcp(host: "127.0.0.1", port: 0)] }
    try daemon.awaitReady()
    let old = try daemon.chosenAddress()
    try daemon.push("x", "y")
    let colliding = try collidingAddresses()
    for round in 1...3 {
        let before = try settledDescriptorCount()
        // An address that can be had, on both sides of those that cannot.
        let fresh = [.tcp(host: "::1", port: 0)] + colliding + [.tcp(host: "127.0.0.1", port: 0)]
        try daemon.reload { $0.listenAddresses = fresh }
        try waitUntil(seconds: 10, "the refusal") { daemon.count("msg=reload_failed") == round }
        try waitUntil(seconds: 10, "as many descriptors as before") { try settledDescriptorCount() == before }
        #expect(try HostileLine.isRefused(colliding[0]))
    }
    #expect(daemon.count("msg=listening") == 2)
    _ = try HostileLine(old)

    // What was left free can be had by the next one, which takes the place of the old address.
    try daemon.reload { $0.listenAddresses = [colliding[0]] }
    try waitUntil(seconds: 10, "the reload: \(daemon.lines)") { daemon.has("msg=reloaded") }
    _ = try HostileLine("\(colliding[0])")
    #expect(try HostileLine.isRefused(SocketAddress(parsing: old)))
    #expect(try daemon.stop() == .success)
}

private func collideAtTheStart() throws {
    let scratch = try Scratch()
    let colliding = try collidingAddresses()
    var before: Int?
    for _ in 0..<3 {
        let daemon = try RunningDaemon(in: scratch.path) {
            $0.listenAddresses = colliding + [.tcp(host: "127.0.0.1", port: 0)]
        }
        #expect(try daemon.awaitEnd() == .cannotListen)
        // The first one may have opened what a process keeps.
        before = try before ?? settledDescriptorCount()
        try waitUntil(seconds: 10, "as many descriptors as before") { try settledDescriptorCount() == before }
    }
}

private func comeAndGo() throws {
    let scratch = try Scratch()
    let daemon = try RunningDaemon(in: scratch.path)
    try daemon.awaitReady()
    try daemon.push("x", "y")
    let before = try settledDescriptorCount()
    for round in 1...3 {
        try daemon.reload { $0.listenAddresses = [.tcp(host: "127.0.0.1", port: 0), .tcp(host: "::1", port: 0)] }
        try waitUntil(seconds: 10, "both listeners") { daemon.count("msg=listening") == 1 + 2 * round }
        try daemon.reload { $0.listenAddresses = [] }
        try waitUntil(seconds: 10, "the reload") { daemon.count("msg=reloaded") == 2 * round }
    }
    try waitUntil(seconds: 10, "as many descriptors as before") { try settledDescriptorCount() == before }
    #expect(try daemon.stop() == .success)
}

/// The descriptors of this process once their number stands still: what ends meanwhile in other threads has ended.
private func settledDescriptorCount() throws -> Int {
    var last = -1
    var same = 0
    try waitUntil(seconds: 10, "a number of descriptors that stands still") {
        let count = descriptorCount()
        same = count == last ? same + 1 : 0
        last = count
        return same == 20
    }
    return last
}

private func descriptorCount() -> Int {
    guard let directory = opendir("/proc/self/fd") else { return -1 }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    return count
}
