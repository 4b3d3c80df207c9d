// SPDX-License-Identifier: Apache-2.0

/// "Did you mean": the known word nearest to one that was mistyped.
enum Suggestion {
    /// The word at the smallest edit distance, if that is small enough to be a slip of the finger.
    static func nearest(to word: String, among known: [String]) -> String? {
        let typed = Array(word.unicodeScalars.prefix(64))
        let allowed = max(1, typed.count / 3)
        var best: (distance: Int, word: String)?
        for candidate in known {
            let distance = distance(typed, Array(candidate.unicodeScalars))
            guard distance <= allowed, distance < best?.distance ?? .max else { continue }
            best = (distance, candidate)
        }
        return best?.word ?? known.first { word.count >= 3 && $0.hasPrefix(word) }
    }

    /// Insertions, deletions, replacements and swaps of neighbours that make `a` into `b`.
    static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var current = [i + 1]
            for j in b.indices {
                var cost = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, current[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[b.count]
    }
}
