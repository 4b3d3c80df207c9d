// SPDX-License-Identifier: Apache-2.0
import NavClient

/// What every command that talks to the daemon does first: find the socket, connect, keep one deadline.
struct DaemonCall {
    let session: ClientSession
    let deadline: Deadline

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        let deadline = Deadline.after(milliseconds: try arguments.timeoutMilliseconds())
        let address = try Self.address(arguments)
        session = try Self.asking { () throws(NavClientError) in try ClientSession(to: address, deadline: deadline) }
        self.deadline = deadline
    }

    static func address(_ arguments: ParsedArguments) throws(CommandFailure) -> DaemonAddress {
        try asking { () throws(NavClientError) in try DaemonAddress.search(explicit: arguments.text("socket")) }
    }

    /// Runs a call; its failure becomes the command's.
    static func asking<Answer>(_ call: () throws(NavClientError) -> Answer) throws(CommandFailure) -> Answer {
        do throws(NavClientError) {
            return try call()
        } catch {
            throw CommandFailure(error)
        }
    }

    func ask<Answer>(
        _ call: (ClientSession, Deadline) throws(NavClientError) -> Answer
    ) throws(CommandFailure) -> Answer {
        try Self.asking { () throws(NavClientError) in try call(session, deadline) }
    }
}
