// SPDX-License-Identifier: Apache-2.0

/// The changes that a watch sees, as they come. For one reader.
///
/// A reader that is slow, or away, misses no stack: of one that changed several times it gets the newest state. The
/// sequence goes on over a restart of the daemon and throws when the daemon stays away for 30 s. It ends without an
/// error when its task is cancelled.
public struct StackChanges: AsyncSequence, Sendable {
    public typealias Element = StackChange
    public typealias Failure = NavClientError

    private let source: Source

    init(thread: IOThread<Watch>, interruption: Interruption) {
        source = Source(thread: thread, interruption: interruption)
    }

    public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let source: Source

        public mutating func next() async throws(NavClientError) -> StackChange? { try await source.next() }

        public mutating func next(isolation: isolated (any Actor)?) async throws(NavClientError) -> StackChange? {
            try await source.next()
        }
    }

    /// Ends the watch when the last reader is gone.
    fileprivate final class Source: Sendable {
        private let thread: IOThread<Watch>
        private let interruption: Interruption

        init(thread: IOThread<Watch>, interruption: Interruption) {
            self.thread = thread
            self.interruption = interruption
        }

        deinit { interruption.set() }

        func next() async throws(NavClientError) -> StackChange? {
            do throws(NavClientError) {
                return try await thread.perform(interruption) { watch throws(NavClientError) in
                    try watch.nextChange()
                }
            } catch {
                if error.code == .cancelled { return nil }
                throw error
            }
        }
    }
}
