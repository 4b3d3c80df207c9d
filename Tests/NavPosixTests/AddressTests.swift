// SPDX-License-Identifier: Apache-2.0
import NavPosix
import Testing

@Suite struct AddressTests {
    @Test(arguments: [
        "unix:/run/navsync/navsyncd.sock", "tcp:127.0.0.1:7101", "tcp:[::1]:7101", "tcp:localhost:0",
        "tcp:peer.example:65535",
    ])
    func aWrittenAddressReadsBackAsItself(_ text: String) throws {
        #expect(try SocketAddress(parsing: text).description == text)
    }

    @Test(arguments: [
        ("", "is not an address"), ("/run/x", "is not an address"), ("unix:x", "not absolute"),
        ("unix:@x", "not absolute"), ("tcp:127.0.0.1", "lacks a port"), ("tcp:127.0.0.1:", "lacks a port"),
        ("tcp:127.0.0.1:65536", "lacks a port"), ("tcp:127.0.0.1:-1", "lacks a port"), ("tcp::7", "lacks a host"),
        ("tcp:::1:7101", "written in brackets"), ("tcp:[127.0.0.1]:7", "not an IPv6"), ("tcp:[::1:7", "lacks a ]"),
        ("tcp:a b:7", "lacks a host"), ("tcp:127.0.0.1:+7", "lacks a port"),
    ])
    func aWrongAddressIsRefusedWithTheReason(_ text: String, _ reason: String) {
        #expect {
            try SocketAddress(parsing: text)
        } throws: {
            "\($0)".contains(reason)
        }
    }

    @Test func aPathOf107BytesIsTheLongest() throws {
        let longest = "/" + String(repeating: "x", count: 106)
        #expect(try SocketAddress(parsing: "unix:" + longest) == .unix(path: longest))
        #expect {
            try SocketAddress(parsing: "unix:" + longest + "x")
        } throws: {
            "\($0)".contains("socket path of 108 bytes, 107 are allowed; choose a shorter one")
        }
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("::ffff:127.0.0.1", true), ("0.0.0.0", false),
        ("::", false), ("10.0.0.1", false), ("::ffff:10.0.0.1", false),
    ])
    func loopbackIsToldApart(_ text: String, _ isLoopback: Bool) throws {
        #expect(try #require(IPAddress(text)).isLoopback == isLoopback)
    }

    @Test func theAddressesOfThisMachineAreThoseThatOthersCanReach() {
        for address in IPAddress.ofThisMachine() {
            #expect(!address.isLoopback && !address.isUnspecified)
        }
    }
}
