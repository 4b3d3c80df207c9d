// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavClient

/// The command line: reads the arguments, runs one command, ends with its exit status.
@main
enum Navsyncctl {
    static func main() {
        // A reader that goes away must be seen as an errno, not as a signal.
        signal(SIGPIPE, SIG_IGN)
        exit(run(Array(CommandLine.arguments.dropFirst()), Console()).rawValue)
    }

    static func run(_ words: [String], _ console: Console) -> ExitStatus {
        console.setColor(ArgumentParser.color(in: words))
        do throws(CommandFailure) {
            try perform(ArgumentParser(.all).parse(words), console)
            try console.flush()
            return .success
        } catch {
            console.report(error)
            return error.status
        }
    }

    private static func perform(_ invocation: Invocation, _ console: Console) throws(CommandFailure) {
        switch invocation {
        case .command(let command, let arguments):
            try command.run(arguments, console)
        case .help(let command):
            try console.writeLine(command.map { HelpText.command($0, of: .all) } ?? HelpText.program(.all))
        case .version:
            try console.writeLine("navsyncctl \(NavClient.version)")
        }
    }
}
