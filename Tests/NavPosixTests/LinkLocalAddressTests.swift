// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavPosix
import Testing

/// A link-local address is of use only with its link.
@Suite struct LinkLocalAddressTests {
    @Test(arguments: ["fe80::1%lo", "fe80::1:2:3:4%enp0s31f6", "febf::1%7", "fe80::1%wg-home.1"])
    func aZoneIsPartOfTheAddress(_ text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.description == text)
        #expect(address.isIPv6 && address.isLinkLocal)
        #expect(address != IPAddress(String(text.prefix { $0 != "%" })))
        let written = "tcp:[\(text)]:7101"
        #expect(try SocketAddress(parsing: written).description == written)
    }

    @Test(arguments: [
        "fe80::1%", "fe80::1%a b", "fe80::1%a/b", "fe80::1%a%b", "fe80::1%longer-than-16-by", "::1%lo", "127.0.0.1%lo",
    ])
    func whatIsNoZoneIsNoAddress(_ text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func theResolverKeepsTheZone() throws {
        let addresses = try Resolver.lookUp("fe80::1%lo").get()
        #expect(addresses.map(\.description) == ["fe80::1%lo"])
    }

    /// Without its zone the kernel says that the argument is invalid, whatever the network is like.
    @Test(arguments: ["fe80::1%lo", "fe80::1%none-such"]) func aDialNamesTheLink(_ host: String) throws {
        let loop = try EventLoop()
        var failure: PosixError?
        let dialer = Dialer(
            loop: loop, resolver: Resolver(loop: loop), address: .tcp(host: host, port: 1),
            deadline: SystemClock.monotonicNanoseconds() + 300_000_000, rule: { _ in nil },
            completion: { if case .failure(let error) = $0 { failure = error } })
        try loop.run(until: "the failure") { failure != nil }
        #expect(failure?.errno != EINVAL)
        #expect(failure?.hint == nil, "it is no name to resolve")
        withExtendedLifetime(dialer) {}
    }

    @Test func aListenerOnALinkThatIsNotThereSaysSo() throws {
        let host = try #require(IPAddress("fe80::1%none-such"))
        #expect {
            try BoundSocket.tcp(host: host, port: 0)
        } throws: {
            ($0 as? PosixError)?.errno == ENODEV
        }
    }
}
