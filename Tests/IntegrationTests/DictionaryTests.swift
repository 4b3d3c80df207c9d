// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavSync
import NavWire
import Testing

/// A dictionary that a user trained: made from paths, named by its content, needed to read, and kept out of stacks.
@Suite struct DictionaryTests {
    /// A path as an app of this kind saves them.
    private static func path(_ index: Int) -> String {
        #"["Shop.Product","{\"id\":\#(index * 7919 % 10_007),\"shelf\":\"aisle-\#(index % 9)\",\"origin\":\"warehouse-\#(index % 4)\"}","#
            + #""Shop.Category","\"Pumps and valves \#(index % 11)\""]"#
    }

    private static func lines(_ count: Int) -> [UInt8] {
        Array((0..<count).map { path($0) + "\n" }.joined().utf8)
    }

    /// A dictionary from 300 paths, and its id as the command tells it.
    private static func train(_ scratch: Scratch, salt: Int = 0) throws -> (file: String, id: String) {
        let file = scratch.file("own-\(salt).dict")
        let made = try Ctl.run(
            ["dict", "train", "-o", file, "--size", "4096"], input: lines(300 + salt), within: 60)
        try #require(made.status == 0, "\(made.diagnostics)")
        let told = try Ctl.run(["dict", "id", file])
        let id = try #require(told.text.split(separator: " ").first.map(String.init))
        #expect(made.diagnostics.contains("dictionary \(id), "))
        #expect(made.diagnostics.contains(" from \(300 + salt) paths"))
        #expect(UInt64(id, radix: 16).map { $0 >> 34 } == 1)
        return (file, id)
    }

    @Test func pathsOfAnAppAreSmallerWithTheDictionaryThatTheyTrained() throws {
        let scratch = try Scratch()
        let (file, id) = try Self.train(scratch)
        let json = Array(Self.path(1_234).utf8)
        let plain = try Ctl.run(["encode"], input: json).output
        let small = try Ctl.run(["encode", "--dictionary", file], input: json).output
        #expect(small.count < plain.count, "\(small.count) bytes, \(plain.count) without")
        let back = try Ctl.run(["decode", "--dictionary", file], input: small)
        try PathText.expectSamePath(back.output, json)
        let explained = try Ctl.run(["inspect", "--dictionary", file], input: small)
        #expect(explained.status == 0)
        #expect(explained.text.contains(id) && explained.text.contains("Shop.Product"))
    }

    @Test func anEnvelopeWhoseDictionaryIsMissingNamesItAndSaysWhatToDo() throws {
        let scratch = try Scratch()
        let (file, id) = try Self.train(scratch)
        let (other, otherID) = try Self.train(scratch, salt: 40)
        #expect(id != otherID)
        let small = try Ctl.run(["encode", "--dictionary", file], input: Array(Self.path(5).utf8)).output
        for words in [["decode"], ["inspect"], ["decode", "--dictionary", other]] {
            let result = try Ctl.run(words, input: small)
            #expect(result.status == 5, "\(words)")
            #expect(result.diagnostics.contains(id), "\(words): \(result.diagnostics)")
            #expect(result.diagnostics.contains("--dictionary FILE"), "\(words): \(result.diagnostics)")
        }
        let both = try Ctl.run(["decode", "--dictionary", other, "--dictionary", file], input: small)
        try PathText.expectSamePath(both.output, Array(Self.path(5).utf8))
    }

    @Test func neitherCommandLineNorDaemonTakesIntoAStackWhatNeedsATrainedDictionary() throws {
        let scratch = try Scratch()
        let (file, id) = try Self.train(scratch)
        let small = try Ctl.run(["encode", "--dictionary", file], input: Array(Self.path(5).utf8)).output
        let daemon = try Daemon(scratch, "a")
        try daemon.ctl.succeed("push", "cart", Samples.path("shop"))
        let pushed = try daemon.ctl("push", "cart", input: small)
        #expect(pushed.status == 5)
        #expect(pushed.diagnostics.contains(id) && pushed.diagnostics.contains("without --dictionary"))

        let line = try RawLine.greeted(daemon)
        line.send(Push(request: RequestID(rawValue: 1), name: try StackName("cart"), envelope: small).frame)
        guard case .error(let refusal)? = try line.receive() else {
            Issue.record("the daemon took it")
            return
        }
        #expect(refusal.error.code == .unknownDictionary)
        #expect(refusal.error.reason.contains(id), "\(refusal.error)")
        #expect(refusal.error.reason.contains("stores envelopes only with"), "\(refusal.error)")
        try PathText.expectSamePath(daemon.ctl.succeed("pull", "cart").output, Samples.bytes("shop"))
    }

    @Test func filesDirectoriesAndEnvelopesTrainTheSameDictionaryAsLinesDo() throws {
        let scratch = try Scratch()
        let (file, _) = try Self.train(scratch)
        // Files of a directory are taken in the order of their names, hidden ones and levels aside.
        for part in ["paths", "paths/a", "paths/b"] { try #require(mkdir(scratch.file(part), 0o700) == 0) }
        for index in 0..<299 {
            let json = Array(Self.path(index).utf8)
            let place = "paths/\(index < 200 ? "a" : "b")/\(1_000 + index)"
            _ = try scratch.write(index % 2 == 0 ? json : Self.envelope(json), to: place)
        }
        _ = try scratch.write([0xFF], to: "paths/.hidden")
        let last = try scratch.write(Array(Self.path(299).utf8), to: "last.json")
        let again = try Ctl.run(
            ["dict", "train", "-o", "-", "--size", "4096", scratch.file("paths"), last], within: 60)
        #expect(again.status == 0, "\(again.diagnostics)")
        #expect(try again.output == Files.read(file))
    }

    private static func envelope(_ json: [UInt8]) throws -> [UInt8] {
        try PathEnvelope.encode(SwiftUIJSON.decode(json))
    }

    @Test func tooFewPathsAreAnErrorThatSaysHowManyAreNeededAndNoFileIsWritten() throws {
        let scratch = try Scratch()
        let file = scratch.file("own.dict")
        let few = try Ctl.run(["dict", "train", "-o", file], input: Self.lines(3))
        #expect(few.status == 5)
        #expect(few.diagnostics.contains("3 paths are too few") && few.diagnostics.contains("a few hundred"))
        #expect(!Files.exists(file))
        let empty = Array(String(repeating: "[]\n", count: 50).utf8)
        let useless = try Ctl.run(["dict", "train", "-o", file], input: empty)
        #expect(useless.diagnostics.contains("it gains nothing"), "\(useless.diagnostics)")
    }

    @Test func whatIsNoDictionaryIsRefusedByName() throws {
        for words in [["encode"], ["decode"], ["inspect"]] {
            let input = try words == ["decode"] ? Self.envelope(Samples.bytes("shop")) : Samples.bytes("shop")
            let result = try Ctl.run(words + ["--dictionary", Samples.path("shop")], input: input)
            #expect(result.status == 5, "\(words)")
            #expect(result.diagnostics.contains("these bytes are no dictionary"), "\(words): \(result.diagnostics)")
        }
        #expect(try Ctl.run(["dict", "id", "/nowhere"]).status == 5)
        #expect(try Ctl.run(["dict", "tarin"]).diagnostics.contains("did you mean 'train'?"))
        #expect(try Ctl.run(["dict", "train", "--size", "12"]).status == 2)
    }
}
