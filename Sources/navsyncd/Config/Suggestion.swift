// SPDX-License-Identifier: Apache-2.0

/// "did you mean", for words that people mistype.
enum Suggestion {
    /// The known word that is nearest to `word`; nil when none is near.
    static func nearest(to word: String, in known: [String]) -> String? {
        let ranked = known.map { (word: $0, distance: distance(word, $0)) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, min(3, word.count / 3)) ? best.word : nil
    }

    /// "; did you mean X" or nothing.
    static func clause(for word: String, in known: [String]) -> String {
        nearest(to: word, in: known).map { "; did you mean '\($0)'" } ?? ""
    }

    /// Letters to add, drop, change or swap with their neighbour.
    private static func distance(_ left: String, _ right: String) -> Int {
        // Longer words are no slip of the hand.
        let first = Array(left.utf8.prefix(64))
        let second = Array(right.utf8.prefix(64))
        var before: [Int] = []
        var last = Array(0...second.count)
        for row in 0..<first.count {
            var line = [row + 1]
            for column in 0..<second.count {
                var best = min(last[column + 1] + 1, line[column] + 1)
                best = min(best, last[column] + (first[row] == second[column] ? 0 : 1))
                let isSwap =
                    row > 0 && column > 0 && first[row] == second[column - 1] && first[row - 1] == second[column]
                if isSwap { best = min(best, before[column - 1] + 1) }
                line.append(best)
            }
            before = last
            last = line
        }
        return last[second.count]
    }
}
