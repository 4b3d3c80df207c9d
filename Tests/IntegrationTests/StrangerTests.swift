// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

/// A foreign program, `openssl s_client`, against a real daemon.
@Suite struct StrangerTests {
    @Test(arguments: [
        ["-tls1", "-cipher", "ALL:@SECLEVEL=0"], ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"],
        ["-tls1_2", "-cipher", "ALL:@SECLEVEL=0"], ["-no_tls1_3", "-alpn", "navsync/1"],
        ["-tls1_3", "-alpn", "http/1.1"], ["-tls1_3", "-alpn", "navsync/1"], ["-tls1_3"],
    ])
    func isRefusedWhateverVersionItSpeaks(_ arguments: [String]) throws {
        let scratch = try Scratch()
        let daemon = try Daemon(scratch, "d", listens: true)
        let address = try #require(daemon.tcpAddress?.dropFirst("tcp:".count))
        let output = scratch.file("openssl.txt")
        let client = try ChildProcess.exclusively { () throws -> sending ChildProcess in
            let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
            let log = open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            defer {
                close(null)
                close(log)
            }
            return try ChildProcess(
                "/usr/bin/openssl", ["s_client", "-connect", String(address), "-ign_eof"] + arguments,
                environment: [:], input: null, output: log, diagnostics: log)
        }
        // The daemon closes: the client, which would wait for ever, ends with a failure or an end of input.
        #expect(client.wait(within: 10) != nil, "\(arguments)")
        let said = try Files.text(output)
        #expect(said.contains("CONNECTED"), "\(said)")
        // Older versions end before any key of the daemon is shown.
        if arguments.first != "-tls1_3" {
            #expect(!said.contains("BEGIN CERTIFICATE") && said.contains("Cipher is (NONE)"), "\(said)")
        }
        let isLogged = Wait.until(5) { daemon.log.contains("msg=security_failed") }
        #expect(isLogged, "\(daemon.log)")
        try daemon.ctl.succeed("push", "after", Samples.path("empty"))
        #expect(try daemon.status()["sessions.peers"] == "0")
    }
}
