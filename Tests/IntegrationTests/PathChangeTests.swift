// SPDX-License-Identifier: Apache-2.0
import Testing

/// Changing a path in place: each change is one write, based on what was read.
@Suite struct PathChangeTests {
    @Test func elementsAreAppendedShownAndPopped() throws {
        let daemon = try Daemon(Scratch(), "a")
        try daemon.ctl.succeed("append", "cart", "Shop.Category", #"{"id":7}"#)
        try daemon.ctl.succeed("append", "cart", "Shop.Product", "-", input: Array(#"{ "sku" : "GT" }"#.utf8))
        try daemon.ctl.succeed("append", "cart", "Swift.Int", "--", "-5")
        #expect(
            try daemon.ctl.succeed("show", "cart").lines == [
                #"0  Shop.Category  {"id":7}"#, #"1  Shop.Product   {"sku":"GT"}"#, "2  Swift.Int      -5",
            ])
        #expect(
            try daemon.ctl.succeed("show", "cart", "--json").text
                == #"[{"index":0,"tag":"Shop.Category","item":{"id":7}},"#
                + #"{"index":1,"tag":"Shop.Product","item":{"sku":"GT"}},{"index":2,"tag":"Swift.Int","item":-5}]"#
                + "\n")
        try daemon.ctl.succeed("pop", "cart", "-n", "2")
        #expect(try daemon.ctl.succeed("pull", "cart").text == #"["Shop.Category","{\"id\":7}"]"# + "\n")
        try daemon.ctl.succeed("pop", "cart")
        #expect(try daemon.ctl.succeed("pull", "cart").text == "[]\n")
    }

    @Test func whatCannotBeDoneIsRefusedAndTheStackStaysAsItWas() throws {
        let daemon = try Daemon(Scratch(), "a")
        #expect(try daemon.ctl("pop", "cart").status == 3)
        #expect(try daemon.ctl("show", "cart").status == 3)
        #expect(try daemon.ctl("append", "cart", "Swift.Int", "{").status == 5)
        #expect(try daemon.ctl("append", "cart", "A\u{1}B", "1").status == 5)
        #expect(try daemon.ctl("pull", "cart").status == 3)
        try daemon.ctl.succeed("append", "cart", "Swift.Int", "1")
        let tooMany = try daemon.ctl("pop", "cart", "-n", "2")
        #expect(tooMany.status == 5 && tooMany.diagnostics.contains("cannot take 2 of 1 elements"))
        #expect(try daemon.ctl("pop", "cart", "-n", "0").status == 2)
        #expect(try daemon.ctl.succeed("show", "cart").lines == ["0  Swift.Int  1"])
    }

    @Test func aStaleBaseHasItsOwnExitStatus() throws {
        let daemon = try Daemon(Scratch(), "a")
        let first = try daemon.ctl.succeed("append", "cart", "Swift.Int", "1", "--json").text
        let stamp = try #require(Text.field("stamp", of: first))
        try daemon.ctl.succeed("append", "cart", "Swift.Int", "2", "--expect", stamp)
        #expect(try daemon.ctl("append", "cart", "Swift.Int", "3", "--expect", stamp).status == 9)
        #expect(try daemon.ctl("pop", "cart", "--expect", stamp).status == 9)
        #expect(try daemon.ctl.succeed("show", "cart").lines.count == 2)
        try daemon.ctl.succeed("rm", "cart")
        #expect(try daemon.ctl("append", "cart", "Swift.Int", "3", "--expect", stamp).status == 3)
        // Without a base a removed stack begins anew.
        try daemon.ctl.succeed("append", "cart", "Swift.Int", "3")
        #expect(try daemon.ctl.succeed("show", "cart").lines == ["0  Swift.Int  3"])
    }

    @Test func writersAtOnceNeverUndoEachOther() async throws {
        let daemon = try Daemon(Scratch(), "a")
        let ctl = daemon.ctl
        let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
            for number in 0..<12 {
                group.addTask { try ctl("append", "cart", "Swift.Int", "\(number)").status }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.allSatisfy { $0 == 0 || $0 == 9 }, "\(statuses)")
        #expect(try daemon.ctl.succeed("show", "cart").lines.count == statuses.count { $0 == 0 })
    }

    @Test(arguments: [
        (
            "variant-mangled", "NavigationBackport",
            #"["nav_codable.User","{\"id\":42,\"name\":\"Blob\"}","Swift.Bool","#
                + #""true","Swift.Int","42","Swift.String","\"Hello\""]"#
        ),
        ("variant-flowpath", "FlowStacks", #"["Swift.String","\"b\"","Swift.Int","1"]"#),
        ("variant-base64", "swift-cross-ui", #"["App.S","{\"a\":1}","Swift.Int","1"]"#),
    ])
    func anotherLibrarysFormIsToldByItsContent(_ sample: String, _ library: String, _ swiftUI: String) throws {
        let scratch = try Scratch()
        let encoded = try Ctl.run(["encode", Samples.path(sample), "-o", scratch.file("path.nav")])
        #expect(encoded.status == 0 && encoded.diagnostics.contains(library))
        #expect(try Ctl.run(["decode", scratch.file("path.nav")]).text == swiftUI + "\n")
    }

    @Test func modulesAreMappedAndTheFormCanBeChosen() throws {
        let scratch = try Scratch()
        _ = try Ctl.run(["encode", Samples.path("shop"), "-o", scratch.file("path.nav")])
        let mapped = try Ctl.run(["decode", "--module", "Shop=ShopPhone", scratch.file("path.nav")]).text
        #expect(mapped.contains("\"ShopPhone.Product\"") && !mapped.contains("\"Shop.Product\""))
        let crossUI = try Ctl.run(["decode", "--to", "crossui", scratch.file("path.nav")])
        let back = try Ctl.run(["encode", "--from", "crossui", "-o", scratch.file("back.nav")], input: crossUI.output)
        #expect(back.status == 0, "\(back.diagnostics)")
        #expect(try Files.read(scratch.file("back.nav")) == Files.read(scratch.file("path.nav")))
        for wrong in ["Shop", "Shop=", "=X", "A.B=C", "Shop=A=B", ""] {
            #expect(try Ctl.run(["decode", "--module", wrong, scratch.file("path.nav")]).status == 2, "\(wrong)")
        }
    }

    @Test func aPlainArrayNeedsTheNameOfItsType() throws {
        let scratch = try Scratch()
        let plain = Array(#"[{"id":1},{"id":2}]"#.utf8)
        #expect(try Ctl.run(["encode", "-o", scratch.file("x.nav")], input: plain).status == 5)
        #expect(try Ctl.run(["encode", "--from", "plain", "-o", scratch.file("x.nav")], input: plain).status == 2)
        let encoded = try Ctl.run(
            ["encode", "--from", "plain", "--tag", "App.Item", "-o", scratch.file("x.nav")], input: plain)
        #expect(encoded.status == 0)
        #expect(
            try Ctl.run(["decode", scratch.file("x.nav")]).text
                == #"["App.Item","{\"id\":2}","App.Item","{\"id\":1}"]"# + "\n")
    }
}
