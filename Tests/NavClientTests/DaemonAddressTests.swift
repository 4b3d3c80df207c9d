// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavClient
import Testing

@Suite struct DaemonAddressTests {
    @Test(arguments: [
        ("/run/a.sock", "/run/a.sock"), ("unix:/run/a.sock", "/run/a.sock"), ("relative.sock", "relative.sock"),
    ])
    func readsAnAddressInEachForm(_ text: String, _ shown: String) throws {
        #expect(try DaemonAddress(text).description == shown)
    }

    @Test(arguments: ["", "unix:", "a\0b"])
    func refusesWhatIsNoAddress(_ text: String) {
        #expect(throws: NavClientError(code: .invalidAddress, reason: "")) { try DaemonAddress(text) }
    }

    @Test func aTCPPortIsForDaemonsAndTheHintSaysWhatToNameInstead() {
        #expect {
            try DaemonAddress("tcp:127.0.0.1:7070")
        } throws: {
            ($0 as? NavClientError)?.hint?.contains("name a Unix socket") == true
        }
    }

    @Test func aPathThatNoUnixSocketCanHaveIsRefusedWithBothLengths() throws {
        let longest = "/" + String(repeating: "x", count: 106)
        #expect(try DaemonAddress(longest).description == longest)
        #expect {
            try DaemonAddress(longest + "x")
        } throws: {
            ($0 as? NavClientError)?.reason.contains("108 bytes, Unix sockets allow 107") == true
        }
    }

    @Test func theSocketIsSearchedInTheDocumentedOrder() throws {
        let search = { (explicit: String?, variables: [String: String]) in
            try DaemonAddress.search(explicit: explicit, environment: { variables[$0] }).description
        }
        #expect(try search("/flag", ["NAVSYNC_SOCKET": "/variable"]) == "/flag")
        #expect(try search(nil, ["NAVSYNC_SOCKET": "/variable", "XDG_RUNTIME_DIR": "/tmp"]) == "/variable")
        #expect(try search(nil, ["XDG_RUNTIME_DIR": "/nonexistent"]) == DaemonAddress.systemSocketPath)
        #expect(try search(nil, ["NAVSYNC_SOCKET": ""]) == DaemonAddress.systemSocketPath)
        #expect(throws: NavClientError.self) { try search(nil, ["NAVSYNC_SOCKET": "tcp:nowhere"]) }
    }
}

@Suite struct StackStampTests {
    private let text = "018d2f3a4b5c0007@aaaaaaa-aaaaaaa-aaaaaaa-aaaaaaa"

    @Test func itsTextReadsBackToTheSameStamp() throws {
        let stamp = try StackStamp(text)
        #expect(stamp.description == text)
        #expect(stamp.milliseconds == 0x018d_2f3a_4b5c)
        #expect(stamp.origin == "aaaaaaa-aaaaaaa-aaaaaaa-aaaaaaa")
    }

    @Test(arguments: [
        "", "none", "018d2f3a4b5c0007", "18d@aaaaaaa-aaaaaaa-aaaaaaa-aaaaaaa", "018d2f3a4b5c0007@b",
        "+18d2f3a4b5c0007@aaaaaaa-aaaaaaa-aaaaaaa-aaaaaaa",
    ])
    func refusesWhatIsNoStamp(_ text: String) throws {
        #expect(throws: NavClientError(code: .invalidStamp, reason: "")) { try StackStamp(text) }
        let json = try JSONEncoder().encode([text])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([StackStamp].self, from: json) }
    }

    @Test func itIsSavedAsItsText() throws {
        let json = try JSONEncoder().encode([StackStamp(text)])
        #expect(String(decoding: json, as: UTF8.self) == "[\"\(text)\"]")
        #expect(try JSONDecoder().decode([StackStamp].self, from: json) == [StackStamp(text)])
    }

    @Test func theLaterReadingIsGreaterWhateverTheOrigin() throws {
        #expect(try StackStamp(text) < StackStamp("018d2f3a4b5c0008@aaaaaaa-aaaaaaa-aaaaaaa-aaaaaaa"))
    }
}
