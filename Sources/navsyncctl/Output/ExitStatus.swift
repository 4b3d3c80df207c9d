// SPDX-License-Identifier: Apache-2.0

/// What the program's exit status says. A status never changes its meaning.
enum ExitStatus: Int32, Sendable, CaseIterable {
    case success = 0
    case internalFailure = 1
    case usage = 2
    case notFound = 3
    case unreachable = 4
    case badInput = 5
    case tooLarge = 6
    case refused = 7
    case deadlineExceeded = 8
    case staleBase = 9

    var meaning: String {
        switch self {
        case .success: "done; also when the reader of the output closed it early"
        case .internalFailure: "something failed that is not the input's or the daemon's fault"
        case .usage: "the command line is wrong"
        case .notFound: "there is no stack, or no peer, of that name, or no such version of the stack"
        case .unreachable: "no daemon answers at the socket"
        case .badInput: "the input cannot be read, or is not a path, an envelope or a valid name"
        case .tooLarge: "the input is over a limit"
        case .refused: "the daemon refused the request"
        case .deadlineExceeded: "no answer came in time; a write may or may not have happened"
        case .staleBase: "the stack has changed since the stamp that the write was based on"
        }
    }
}
