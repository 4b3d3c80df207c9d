// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavPosix
import NavSync

/// The program: reads the command line and either answers it or runs one daemon.
@main
enum Navsyncd {
    static func main() {
        // Before anything that could write, and before the first thread.
        SignalSource.ignoreBrokenPipes()
        exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    static func run(_ arguments: [String]) -> ExitStatus {
        let options: CommandLineOptions
        do throws(CommandLineOptions.UsageError) {
            options = try CommandLineOptions(parsing: arguments)
        } catch {
            complain(error.reason, hint: "'navsyncd --help' lists the flags")
            return .usage
        }
        switch options.task {
        case .help: printText(helpText)
        case .version: printText("navsyncd \(Software.version)\n")
        case .checkConfiguration: return checkConfiguration(options)
        case .run: return serve(options)
        }
        return .success
    }

    private static func checkConfiguration(_ options: CommandLineOptions) -> ExitStatus {
        do throws(ConfigurationError) {
            _ = try Configuration.load(options, places: places())
        } catch {
            complain("\(error)", hint: nil)
            return .badConfiguration
        }
        printText("the configuration is valid\n")
        return .success
    }

    private static func serve(_ options: CommandLineOptions) -> ExitStatus {
        let configuration: Configuration
        do throws(ConfigurationError) {
            configuration = try Configuration.load(options, places: places())
        } catch {
            complain("\(error)", hint: "'navsyncd --check-config' checks without starting")
            return .badConfiguration
        }
        SignalSource.block()
        do throws(PosixError) {
            let daemon = try Daemon(
                configuration: configuration, log: .standardError(level: configuration.logLevel),
                serviceManager: .inherited,
                reload: { () throws(ConfigurationError) in try Configuration.load(options, places: places()) })
            return daemon.run(handlesSignals: true)
        } catch {
            complain("\(error)", hint: nil)
            return .failure
        }
    }

    private static func places() -> DefaultPlaces {
        var environment: [String: String] = [:]
        let names = [
            "HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "STATE_DIRECTORY", "RUNTIME_DIRECTORY",
        ]
        for name in names {
            if let value = getenv(name) { environment[name] = String(cString: value) }
        }
        return DefaultPlaces(environment: environment, isRoot: geteuid() == 0)
    }

    static var helpText: String {
        let width = Flag.all.map { $0.usage.utf8.count }.max() ?? 0
        let flags = Flag.all.map { flag in
            "  " + flag.usage + String(repeating: " ", count: width - flag.usage.utf8.count + 2) + flag.help + "\n"
        }
        return """
            usage: navsyncd [FLAG]...

            Keeps named navigation stacks, durable on disk, and syncs them with its peers.

            \(flags.joined())
            Flags override the config file, /etc/navsync/navsyncd.conf or $XDG_CONFIG_HOME/navsync/navsyncd.conf.
            Exit status: 0 ended as asked, 1 failure while running, 2 usage, 3 bad configuration, 4 the state
            directory is in use by another daemon, 5 cannot listen, 6 the store or the identity is unusable.
            Manual pages: navsyncd(8), navsyncd.conf(5).

            """
    }

    /// The answer, on stdout. That nobody reads it is no failure.
    private static func printText(_ text: String) { writeAll(text, to: 1) }

    private static func complain(_ reason: String, hint: String?) {
        writeAll("navsyncd: error: \(reason)\n", to: 2)
        if let hint { writeAll("navsyncd: hint: \(hint)\n", to: 2) }
    }

    private static func writeAll(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return }
            bytes = bytes.dropFirst(max(0, count))
        }
    }
}

extension Flag {
    /// "--config FILE"
    var usage: String { value.map { "\(name) \($0)" } ?? name }
}
