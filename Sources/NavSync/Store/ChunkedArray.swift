// SPDX-License-Identifier: Apache-2.0

/// An array that grows a chunk at a time: growing copies nothing and reserves little that is not used.
struct ChunkedArray<Element: Sendable>: Sendable {
    private static var chunkCount: Int { 1024 }
    private var chunks: [ContiguousArray<Element>] = []
    private(set) var count = 0

    init() {}

    subscript(index: Int) -> Element {
        get { chunks[index >> 10][index & 1023] }
        _modify { yield &chunks[index >> 10][index & 1023] }
    }

    mutating func append(_ element: Element) {
        if count & 1023 == 0 {
            var chunk = ContiguousArray<Element>()
            chunk.reserveCapacity(Self.chunkCount)
            chunks.append(chunk)
        }
        chunks[count >> 10].append(element)
        count += 1
    }
}
