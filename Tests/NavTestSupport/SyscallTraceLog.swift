// SPDX-License-Identifier: Apache-2.0

/// What the preloaded SyscallTrace library has written down: see Tests/SyscallTrace/include/SyscallTrace.h.
package struct SyscallTraceLog: Sendable {
    package struct Entry: Hashable, Sendable {
        package let number: Int
        package let call: String
        package let kind: String
        package let path: String
        package let values: [String: String]

        package func integer(_ key: String) -> Int? { values[key].flatMap { Int($0) } }
    }

    package struct Malformed: Error {
        package let line: String
    }

    package let entries: [Entry]

    /// Numbers must rise by one: a trace with a hole proves nothing.
    package init(_ text: String) throws {
        var entries: [Entry] = []
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count >= 4, let number = Int(fields[0]), number == entries.count + 1 else {
                throw Malformed(line: String(line))
            }
            var values: [String: String] = [:]
            for field in fields[4...] {
                let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2 else { throw Malformed(line: String(line)) }
                values[String(parts[0])] = String(parts[1])
            }
            entries.append(
                Entry(
                    number: number, call: String(fields[1]), kind: String(fields[2]), path: String(fields[3]),
                    values: values))
        }
        self.entries = entries
    }
}
