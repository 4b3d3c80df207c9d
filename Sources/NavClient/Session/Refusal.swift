// SPDX-License-Identifier: Apache-2.0
import NavSync

extension NavClientError {
    /// A refusal that the daemon sent.
    init(_ message: ErrorMessage) {
        var error = NavClientError(message.error)
        if error.code == .staleBase {
            let hint =
                message.current.map { "it has \(StackStamp($0)) now: pull it, then push again" }
                ?? "there is no stack of that name now: push it as a new one, or leave it removed"
            error = NavClientError(code: .staleBase, reason: error.reason, hint: hint)
        }
        self = error
    }

    /// The daemon closed the session and said why.
    init(_ goodbye: Goodbye) {
        if let code = SyncError.Code(rawValue: goodbye.code) {
            self.init(SyncError(code: code, reason: goodbye.reason))
        } else {
            self = .connectionLost("the daemon said goodbye\(goodbye.reason.isEmpty ? "" : ": ")\(goodbye.reason)")
        }
    }

    /// What the core refused, here or there.
    init(_ error: SyncError) {
        let (code, hint): (Code, String?) =
            switch error.code {
            case .invalidName:
                (
                    .invalidName,
                    "a name has 1 to \(StackName.maximumByteCount) bytes of UTF-8 without control characters"
                )
            case .invalidEnvelope: (.invalidPath, "'navsyncctl inspect' shows what is wrong with it")
            case .unknownDictionary:
                (
                    .unknownDictionary,
                    "stacks hold only what every machine can read: encode the path without a dictionary"
                )
            case .valueTooLarge, .frameTooLarge: (.tooLarge, "a path is small: keep ids in it, not whole models")
            case .notFound: (.notFound, "'navsyncctl list' shows the stacks that are there")
            case .staleBase: (.staleBase, "pull the stack, then push again")
            case .versionMismatch:
                (.incompatible, "update the older of this program and navsyncd, and restart the daemon")
            case .draining: (.unreachable, "the daemon is stopping; try again when it runs")
            case .storeFull: (.refused, "make room on the daemon's disk; reads go on")
            case .storeFailed: (.refused, "see the daemon's log: journalctl -u navsyncd")
            case .notPermitted: (.refused, "ask who runs the daemon for the right to do this")
            case .messageUnfinished: (.refused, "send each message as a whole, and no crowd of great ones at once")
            case .linkUnusable: (.refused, "'navsyncctl pair' on the other side makes a new link")
            default: (.refused, nil)
            }
        self.init(code: code, reason: error.reason, hint: hint)
    }

    /// What the daemon sent is no message.
    @inline(never)
    static func unreadable(_ reason: String) -> Self {
        NavClientError(
            code: .incompatible, reason: "what the daemon sent cannot be read: \(reason)",
            hint: "are this program and navsyncd of the same version?")
    }
}
