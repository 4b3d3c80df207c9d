// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Runs a line of bash, for what a shell does best: pipes, redirections, completion.
enum Shell {
    static func run(_ script: String, within seconds: Double = 30) throws -> Ctl.Result {
        let files = try Scratch()
        let child = try ChildProcess.exclusively { () throws -> sending ChildProcess in
            let descriptors = [
                open("/dev/null", O_RDONLY | O_CLOEXEC),
                open(files.file("out"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600),
                open(files.file("err"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600),
            ]
            defer { for descriptor in descriptors { close(descriptor) } }
            return try ChildProcess(
                "/bin/bash", ["-c", script], environment: ["PATH": "/usr/bin:/bin"], input: descriptors[0],
                output: descriptors[1], diagnostics: descriptors[2])
        }
        guard case .exited(let status)? = child.wait(within: seconds) else {
            throw HarnessError("bash did not end in good order: \(script)")
        }
        return Ctl.Result(
            status: status, output: try Files.read(files.file("out")), diagnostics: try Files.text(files.file("err")))
    }
}
