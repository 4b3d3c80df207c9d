// SPDX-License-Identifier: Apache-2.0
import NavClient
import NavWire

extension CommandFailure {
    /// A failed call to the daemon, as the user sees it.
    init(_ error: NavClientError) {
        let status: ExitStatus =
            switch error.code {
            case .unreachable, .connectionLost, .incompatible: .unreachable
            case .deadlineExceeded: .deadlineExceeded
            case .notFound: .notFound
            case .invalidName, .invalidPath, .unknownDictionary: .badInput
            case .tooLarge: .tooLarge
            case .staleBase: .staleBase
            case .invalidStamp, .invalidAddress: .usage
            case .refused: .refused
            default: .internalFailure
            }
        // The library's hints are for any program; the flag is ours.
        let flag = error.code == .deadlineExceeded ? ": --timeout SECONDS" : ""
        self.init(status, error.reason, hint: error.hint.map { $0 + flag })
    }

    /// Input that is not a path or not an envelope.
    init(_ error: NavWireError, in source: String) {
        let place = error.offset.map { " (at byte \($0))" } ?? ""
        self.init(
            error.code == .tooLarge ? .tooLarge : .badInput, "\(source): \(error.reason)\(place)",
            hint: Self.hint(for: error))
    }

    private static func hint(for error: NavWireError) -> String? {
        switch error.code {
        case .nullPath: "push nothing when no path was saved, or push an empty path: []"
        case .notJSON, .badMagic:
            "give the JSON of NavigationPath.CodableRepresentation, or an envelope from 'navsyncctl encode'"
        case .unknownDictionary:
            "give the file that the dictionary was trained into: --dictionary FILE; 'navsyncctl dict id FILE' tells its id"
        default: nil
        }
    }
}
