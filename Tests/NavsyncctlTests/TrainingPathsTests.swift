// SPDX-License-Identifier: Apache-2.0
import NavWire
import Testing

@testable import navsyncctl

/// What counts as one path, and what as several, in the input of `dict train`.
@Suite struct TrainingPathsTests {
    private func paths(_ text: String) throws -> [[PathElement]] {
        try TrainingPaths.paths(in: PathInput(bytes: Array(text.utf8), source: "test", isEnvelope: false))
    }

    @Test func eachLineIsAPathWhenTheFirstIsOne() throws {
        let paths = try paths("[\"Swift.Int\",\"1\"]\n\n[]\r\n[\"Swift.Int\",\"2\",\"Swift.Int\",\"3\"]\n")
        #expect(paths.map(\.count) == [1, 0, 2])
    }

    @Test func onePathOverSeveralLinesIsOnePath() throws {
        #expect(try paths("[\n  \"Swift.Int\",\n  \"1\"\n]\n").map(\.count) == [1])
    }

    @Test func aLineThatIsNoPathIsNamedByItsNumber() throws {
        let error = #expect(throws: CommandFailure.self) { try paths("[]\n[]\n[\"Swift.Int\"]\n") }
        #expect(error?.message.hasPrefix("test, path 3: ") == true)
    }
}
