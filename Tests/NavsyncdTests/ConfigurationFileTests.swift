// SPDX-License-Identifier: Apache-2.0
import NavPosix
import NavSync
import Testing

@testable import navsyncd

@Suite struct ConfigurationFileTests {
    @Test func everyKeyOfTheTableIsRead() throws {
        let configuration = try parse(
            """
            # everything
            [listen]
            socket = /tmp/x.sock
            socket-mode = 0600
            socket-group = staff
            address = tcp:127.0.0.1:1
              address   =   tcp:[::1]:2\t
            [peers]
            address = unix:/tmp/y.sock
            address = tcp:localhost:3
            retry-first = 100ms
            retry-max = 2m
            dial-timeout = 1s
            heartbeat = 2s
            ; and
            [store]
            directory = /var/lib/x = y
            [limits]
            envelope-size = 64K
            max-drift = 5s
            sessions = 9
            requests-in-flight = 10
            subscriptions = 11
            peer-byte-rate = 64K
            user-byte-rate = 2M
            handshake-timeout = 1h
            [log]
            level = debug
            """.replacing("1h", with: "60s"))
        #expect(configuration.socketPath == "/tmp/x.sock")
        #expect(configuration.socketMode == 0o600)
        #expect(configuration.socketGroup == "staff")
        #expect(configuration.listenAddresses.map(\.description) == ["tcp:127.0.0.1:1", "tcp:[::1]:2"])
        #expect(configuration.peers.map(\.description) == ["unix:/tmp/y.sock", "tcp:localhost:3"])
        #expect(configuration.backOff.firstNanoseconds == 100_000_000)
        #expect(configuration.backOff.maximumNanoseconds == 120_000_000_000)
        #expect(configuration.dialTimeoutNanoseconds == 1_000_000_000)
        #expect(configuration.limits.heartbeatNanoseconds == 2_000_000_000)
        #expect(configuration.stateDirectory == "/var/lib/x = y")
        #expect(configuration.limits.maximumEnvelopeByteCount == 65_536)
        #expect(configuration.limits.maximumDriftMilliseconds == 5000)
        #expect(configuration.limits.maximumSessions == 9)
        #expect(configuration.limits.maximumRequestsInFlight == 10)
        #expect(configuration.limits.maximumSubscriptions == 11)
        #expect(configuration.limits.peerByteRate == 65_536)
        #expect(configuration.limits.userByteRate == 2 << 20)
        #expect(configuration.limits.handshakeNanoseconds == 60_000_000_000)
        #expect(configuration.logLevel == .debug)
    }

    @Test(arguments: [
        ("[lissen]", "x:1: there is no section [lissen]; did you mean 'listen'"),
        ("[listen]\n\nsokcet = /x", "x:3: there is no key 'sokcet' in [listen]; did you mean 'socket'"),
        ("[listen]\nzzzzzz = /x", "x:2: there is no key 'zzzzzz' in [listen]"),
        ("socket = /x", "x:1: 'socket = /x' stands before the first [section]"),
        ("[listen", "x:1: '[listen' is not a [section]"),
        ("[listen]\nsocket", "x:2: 'socket' is not 'key = value'"),
        ("[listen]\nsocket =", "x:2: 'socket' has no value"),
        ("[listen]\n= x", "x:2: there is no key before ="),
        ("[listen]\nsocket = /a\nsocket = /b", "x:3: 'socket' is there twice in [listen]"),
        ("[listen]\nsocket = \u{1}", "x:2: the line holds the control character U+1"),
        ("[log]\nlevel = loud", "x:2: 'loud' is not allowed for 'level': error, warning, info or debug"),
        (
            "[peers]\nretry-first = 30",
            "x:2: '30' is not allowed for 'retry-first': a duration from 10ms to 60s, with its unit (ms, s, m, h)"
        ),
        (
            "[limits]\nenvelope-size = 2M",
            "x:2: '2M' is not allowed for 'envelope-size': a size from 1024 to 1048576 bytes (units: K, M, G)"
        ),
        (
            "[limits]\npeer-byte-rate = 1K",
            "x:2: '1K' is not allowed for 'peer-byte-rate': a size from 65536 to 1073741824 bytes (units: K, M, G)"
        ),
        (
            "[limits]\nuser-byte-rate = 0",
            "x:2: '0' is not allowed for 'user-byte-rate': a size from 65536 to 1073741824 bytes (units: K, M, G)"
        ),
        ("[limits]\nsessions = -1", "x:2: '-1' is not allowed for 'sessions': a number from 8 to 100000"),
        (
            "[listen]\nsocket-mode = 660",
            "x:2: '660' is not allowed for 'socket-mode':"
                + " an octal mode such as 0660, readable and writable by the owner"
        ),
        (
            "[listen]\naddress = unix:/x",
            "x:2: 'unix:/x' is not allowed for 'address': tcp:HOST:PORT; the Unix socket is set by 'socket'"
        ),
        (
            "[listen]\naddress = tcp:example.org:1",
            "listen address: tcp:example.org:1 names no address of this machine: a number is needed"
        ),
        (
            "[access]\nreader = anna",
            "x:2: 'anna' is not allowed for 'reader': user:NAME or group:NAME, a name or a number"
        ),
        (
            "[access]\nwriter = user:no-such-user-here",
            "x:2: 'user:no-such-user-here' is not allowed for 'writer': a user of this machine"
        ),
        ("[peers]\naddress = tcp:[::1]:0", "peer address: tcp:[::1]:0 has port 0, 1 to 65535 are allowed"),
        ("[peers]\naddress = unix:/s\n[listen]\nsocket = /s", "peer address: unix:/s is this daemon's own socket"),
        ("[peers]\naddress = unix:/y\naddress = unix:/y", "peer address: unix:/y is there twice"),
        ("[store]\ndirectory = var", "x:2: 'var' is not allowed for 'directory': an absolute path"),
    ])
    func aWrongFileIsRefusedWithItsLineAndWhatIsAllowed(_ text: String, _ reason: String) {
        #expect {
            try parse(text)
        } throws: {
            "\($0)" == reason
        }
    }

    @Test func aSocketPathThatIsTooLongIsRefusedWithTheLimit() {
        #expect {
            try parse("[listen]\nsocket = /\(String(repeating: "x", count: 107))")
        } throws: {
            "\($0)".contains("socket path of 108 bytes, 107 are allowed; choose a shorter one")
        }
    }

    @Test func textThatIsNotUTF8IsRefused() {
        #expect(throws: ConfigurationError.self) { try ConfigurationFile(parsing: [0x5B, 0xFF, 0x5D], path: "x") }
    }

    @Test func noBytesMakeTheParserTrap() {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("[]=#; \n\t\rax0\u{0}é".utf8)
        for _ in 0..<5000 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            }
            _ = try? ConfigurationFile(parsing: bytes, path: "x")
        }
    }

    @Test func windowsLineEndsAreAllowed() throws {
        #expect(try parse("[log]\r\nlevel = error\r\n").logLevel == .error)
    }

    private func parse(_ text: String) throws -> Configuration {
        var configuration = Configuration(defaultsFor: .system)
        try configuration.apply(try ConfigurationFile(parsing: Array(text.utf8), path: "x"), path: "x")
        try configuration.validate()
        return configuration
    }
}

@Suite struct FlagTests {
    @Test func flagsTakeTheirValueAfterASpaceOrAnEqualsSign() throws {
        let options = try CommandLineOptions(
            parsing: ["--config=/a b", "--listen", "tcp:127.0.0.1:1", "--listen=tcp:[::1]:2", "--check-config"])
        #expect(options.task == .checkConfiguration)
        #expect(options.configurationPath == "/a b")
        #expect(options.overrides.map(\.value) == ["tcp:127.0.0.1:1", "tcp:[::1]:2"])
    }

    @Test(arguments: [
        (["--conifg", "x"], "there is no flag '--conifg'; did you mean '--config'"),
        (["--socket"], "--socket needs a value: --socket PATH"),
        (["--socket="], "--socket needs a value: --socket PATH"),
        (["--help=x"], "--help takes no value"), (["start"], "'start' is not a flag"),
    ])
    func aWrongFlagIsRefused(_ arguments: [String], _ reason: String) {
        #expect {
            try CommandLineOptions(parsing: arguments)
        } throws: {
            ($0 as? CommandLineOptions.UsageError)?.reason == reason
        }
    }

    @Test func flagsReplaceTheFile() throws {
        let scratch = try Scratch()
        try scratch.write(
            "c", "[listen]\naddress = tcp:127.0.0.1:1\n[log]\nlevel = debug\n[peers]\naddress = unix:/p\n")
        let options = try CommandLineOptions(
            parsing: ["--config", scratch.file("c"), "--listen", "tcp:127.0.0.1:2", "--log-level", "error"])
        let configuration = try Configuration.load(options, places: .system)
        #expect(configuration.listenAddresses.map(\.description) == ["tcp:127.0.0.1:2"])
        #expect(configuration.peers.map(\.description) == ["unix:/p"])
        #expect(configuration.logLevel == .error)
    }

    @Test func aFileThatWasAskedForMustExistADefaultOneNeedNot() throws {
        let scratch = try Scratch()
        let places = DefaultPlaces(configurationPath: scratch.file("none"), stateDirectory: "/s", socketPath: "/k")
        #expect(try Configuration.load(CommandLineOptions(), places: places).socketPath == "/k")
        let options = try CommandLineOptions(parsing: ["--config", scratch.file("none")])
        #expect(throws: ConfigurationError.self) { try Configuration.load(options, places: places) }
    }

    @Test func helpNamesEveryFlagAndEveryExitStatus() {
        for flag in Flag.all { #expect(Navsyncd.helpText.contains(flag.usage)) }
        for status in 0...6 { #expect(Navsyncd.helpText.contains("\(status) ")) }
    }
}

@Suite struct DefaultPlacesTests {
    @Test func rootAndTheSystemsServiceHaveTheSystemsPlaces() {
        #expect(DefaultPlaces(environment: ["HOME": "/h"], isRoot: true) == .system)
        let service = DefaultPlaces(
            environment: ["STATE_DIRECTORY": "/var/lib/navsync", "RUNTIME_DIRECTORY": "/run/navsync"], isRoot: false)
        #expect(service == .system)
    }

    @Test func aUserHasTheBaseDirectories() {
        let plain = DefaultPlaces(environment: ["HOME": "/h", "XDG_RUNTIME_DIR": "/run/user/1"], isRoot: false)
        #expect(plain.configurationPath == "/h/.config/navsync/navsyncd.conf")
        #expect(plain.stateDirectory == "/h/.local/state/navsync")
        #expect(plain.socketPath == "/run/user/1/navsync/navsyncd.sock")
        let moved = DefaultPlaces(
            environment: [
                "HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s", "XDG_RUNTIME_DIR": "relative",
            ], isRoot: false)
        #expect(moved.configurationPath == "/c/navsync/navsyncd.conf")
        #expect(moved.stateDirectory == "/s/navsync")
        #expect(moved.socketPath == "/s/navsync/navsyncd.sock")
    }
}
