// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavSync
import NavTestSupport
import Testing

/// One run of `storewriter` under the tracing library.
struct TracedWriter {
    let status: Int32
    /// The lines that the program wrote.
    let output: [String]
    let log: SyscallTraceLog
    /// The bytes written to files.
    let data: [UInt8]

    /// Runs it on `directory`. `failure` is CALL:N:ERRNO, as in SYSCALL_TRACE_FAIL.
    init(directory: TemporaryDirectory, seed: UInt64, batchCount: Int, failure: String? = nil) throws {
        let scratch = try TemporaryDirectory()
        let trace = scratch.path + "/trace"
        let process = Process()
        process.executableURL = try BuiltProducts.url("storewriter")
        process.arguments = [directory.path, String(seed), String(batchCount)]
        var environment = [
            "LD_PRELOAD": try BuiltProducts.url("libSyscallTrace.so").path, "SYSCALL_TRACE": trace,
            "SYSCALL_TRACE_DATA": trace + ".data", "SYSCALL_TRACE_UNDER": directory.path,
            "SWIFT_BACKTRACE": "enable=no",
        ]
        environment["SYSCALL_TRACE_FAIL"] = failure
        process.environment = environment
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
        output = text.split(separator: "\n").map(String.init)
        log = try SyscallTraceLog(String(contentsOfFile: trace, encoding: .utf8))
        data = Array(try #require(FileManager.default.contents(atPath: trace + ".data")))
    }
}

/// Where SwiftPM has put what it built: beside the test bundle.
enum BuiltProducts {
    static func url(_ name: String) throws -> URL {
        let bundle = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        let url = bundle.deletingLastPathComponent().appending(path: name)
        try #require(FileManager.default.fileExists(atPath: url.path), "\(url.path) was not built")
        return url
    }
}
