// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

/// Runs the command line as a user does: a process, its words, its exit status.
struct Ctl {
    struct Result {
        let status: Int32
        let output: [UInt8]
        let diagnostics: String

        var text: String { String(decoding: output, as: UTF8.self) }
        var lines: [String] { text.split(separator: "\n").map(String.init) }
    }

    let socket: String

    /// Runs a command against the daemon at `socket`.
    func callAsFunction(_ words: String..., input: [UInt8] = []) throws -> Result {
        try Self.run(["--socket", socket] + words, input: input)
    }

    /// Runs a command that must succeed.
    @discardableResult
    func succeed(
        _ words: String..., input: [UInt8] = [], at place: SourceLocation = #_sourceLocation
    ) throws -> Result {
        let result = try Self.run(["--socket", socket] + words, input: input)
        if result.status != 0 {
            Issue.record(
                "navsyncctl \(words) ended with \(result.status): \(result.diagnostics)", sourceLocation: place)
        }
        return result
    }

    /// Starts a command against the daemon at `socket` and does not wait for its end.
    func start(_ words: String...) throws -> RunningCtl { try RunningCtl(["--socket", socket] + words) }

    /// Runs the program with exactly these words.
    static func run(
        _ words: [String], input: [UInt8] = [], environment: [String: String] = [:], within seconds: Double = 20
    ) throws -> Result {
        try RunningCtl(words, input: input, environment: environment).result(within: seconds)
    }
}

/// A command that was started.
struct RunningCtl {
    private let words: [String]
    private let files: Scratch
    private let child: ChildProcess

    init(_ words: [String], input: [UInt8] = [], environment: [String: String] = [:]) throws {
        let files = try Scratch()
        let inputPath = try files.write(input, to: "in")
        child = try ChildProcess.exclusively { () throws -> sending ChildProcess in
            let descriptors = [
                open(inputPath, O_RDONLY | O_CLOEXEC),
                open(files.file("out"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600),
                open(files.file("err"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600),
            ]
            defer { for descriptor in descriptors { close(descriptor) } }
            return try ChildProcess(
                Binaries.navsyncctl, words,
                environment: environment.merging(ChildProcess.sanitizerOptions) { own, _ in own },
                input: descriptors[0], output: descriptors[1],
                diagnostics: descriptors[2])
        }
        self.words = words
        self.files = files
    }

    /// The whole lines that it has written so far.
    var lines: [String] {
        let text = (try? Files.text(files.file("out"))) ?? ""
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// Waits for a whole line of its output.
    func firstLine(within seconds: Double = 10) throws -> String {
        guard Wait.until(seconds, { !lines.isEmpty }), let line = lines.first else {
            throw HarnessError("navsyncctl \(words) wrote nothing within \(seconds) s")
        }
        return line
    }

    func send(_ signal: Int32) { child.send(signal) }

    /// Waits for its end.
    func result(within seconds: Double = 20) throws -> Ctl.Result {
        guard let ending = child.wait(within: seconds) else {
            throw HarnessError("navsyncctl \(words) did not end within \(seconds) s")
        }
        let diagnostics = try Files.text(files.file("err"))
        guard case .exited(let status) = ending else {
            throw HarnessError("navsyncctl \(words) ended by \(ending): \(diagnostics)")
        }
        return Ctl.Result(status: status, output: try Files.read(files.file("out")), diagnostics: diagnostics)
    }
}
