// SPDX-License-Identifier: Apache-2.0
import Testing

/// Every sample, through real processes: what is a path comes back value for value, what is none is refused.
@Suite struct SampleTests {
    private static let faulty: [String: (status: Int32, says: String)] = [
        "odd-count": (5, "odd count"), "not-strings": (5, "strings"), "null": (5, "no path was saved"),
        "variant-mangled": (5, "NavigationBackport"), "variant-flowpath": (5, "FlowStacks"),
        "variant-base64": (5, "swift-cross-ui"),
    ]

    @Test func everyPathComesBackValueForValue() throws {
        let daemon = try Daemon(Scratch(), "a")
        let names = try Samples.names().filter { Self.faulty[$0] == nil }
        #expect(names.count >= 9)
        for name in names {
            try daemon.ctl.succeed("push", "sample/\(name)", Samples.path(name))
            try PathText.expectSamePath(daemon.ctl.succeed("pull", "sample/\(name)").output, Samples.bytes(name))
        }
    }

    @Test func everyPathComesBackFromItsEnvelopeWithoutADaemon() throws {
        let scratch = try Scratch()
        for name in try Samples.names() where Self.faulty[name] == nil {
            let encoded = try Ctl.run(["encode", Samples.path(name), "-o", scratch.file("path.nav")])
            #expect(encoded.status == 0, "\(encoded.diagnostics)")
            let decoded = try Ctl.run(["decode", scratch.file("path.nav")])
            try PathText.expectSamePath(decoded.output, Samples.bytes(name))
        }
    }

    @Test func whatIsNoPathIsRefusedByNameAndTheStackStaysAsItWas() throws {
        let daemon = try Daemon(Scratch(), "a")
        try daemon.ctl.succeed("push", "cart", Samples.path("shop"))
        let before = try daemon.ctl.succeed("pull", "cart", "--meta", "--json").text
        for (name, expected) in Self.faulty {
            let result = try daemon.ctl("push", "cart", Samples.path(name))
            #expect(result.status == expected.status, "\(name): \(result.diagnostics)")
            #expect(result.diagnostics.contains(expected.says), "\(name): \(result.diagnostics)")
            #expect(result.output.isEmpty)
            #expect(try daemon.ctl.succeed("pull", "cart", "--meta", "--json").text == before, "\(name)")
        }
    }

    @Test(arguments: [
        ("broken-item", "App.Gone", "verbatim"), ("private-type", "Secret", "private type"),
        ("crafted-tags", "SiSg", "verbatim"),
    ])
    func anOddElementIsKeptVerbatimAndMarked(_ sample: String, _ tag: String, _ mark: String) throws {
        let scratch = try Scratch()
        let daemon = try Daemon(scratch, "a")
        let pushed = try daemon.ctl.succeed("push", "odd", Samples.path(sample))
        #expect(pushed.diagnostics.contains("note:") && pushed.diagnostics.contains(mark))
        try daemon.ctl.succeed("pull", "odd", "--envelope", "-o", scratch.file("odd.nav"))
        let decoded = try Ctl.run(["decode", scratch.file("odd.nav")])
        try PathText.expectSamePath(decoded.output, Samples.bytes(sample))
        #expect(decoded.diagnostics.contains(tag) && decoded.diagnostics.contains(mark))
        let inspected = try Ctl.run(["inspect", scratch.file("odd.nav")])
        #expect(inspected.status == 0)
        #expect(inspected.text.contains(tag) && inspected.text.contains(mark), "\(inspected.text)")
    }
}
