// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavSync
import Testing

/// docs/spec/protocol.md names every message and every code as the code has them.
@Suite struct ProtocolDocumentTests {
    private func document() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../")
        return try String(contentsOf: root.appending(path: "docs/spec/protocol.md"), encoding: .utf8)
    }

    @Test func everyMessageHasItsTable() throws {
        let document = try document()
        for type in MessageType.allCases {
            let heading = "### \(type.rawValue) `\(type)`"
            let isPong = type == .pong && document.contains("### 9 `ping`, 10 `pong`")
            #expect(document.contains(heading) || isPong, "no heading \(heading)")
        }
    }

    @Test func everyCodeIsExplained() throws {
        let document = try document()
        for code in SyncError.Code.allCases {
            #expect(document.contains("| \(code.rawValue) | `\(code)` |"), "no line for \(code.rawValue), \(code)")
        }
    }

    @Test func everyAdmissionIsInTheTable() throws {
        let words: [Admission: Set<String>] = [
            .accept: ["accepted", "ends it"], .ignore: ["ignored"], .refuse: ["refused"], .close: ["closes"],
        ]
        let lines = try document().split(separator: "\n").filter { $0.hasPrefix("| `") }
        for type in MessageType.allCases {
            let line = lines.first { $0.split(separator: "|").first?.contains("`\(type)`") ?? false }
            let cells = (line ?? "").split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 4 else {
                Issue.record("no line for \(type)")
                continue
            }
            for (state, cell) in zip(SessionState.allCases, cells.dropFirst()) {
                #expect(words[state.admission(of: type)]?.contains(cell) ?? false, "\(type) in \(state)")
            }
        }
    }
}
