// SPDX-License-Identifier: Apache-2.0

/// The versions of a stack that a daemon still has, newest first in the order in which they came there. Each piece is asked
/// for when it is needed, so whoever stops early costs the daemon little.
public struct StackHistory: AsyncSequence, Sendable {
    public typealias Element = StackVersion
    public typealias Failure = NavClientError

    let client: NavClient
    let stack: String

    public func makeAsyncIterator() -> Iterator { Iterator(client: client, stack: stack) }

    public struct Iterator: AsyncIteratorProtocol {
        private let client: NavClient
        private let stack: String
        private var waiting: ArraySlice<StackVersion> = []
        private var before: UInt64?
        private var isAtEnd = false

        init(client: NavClient, stack: String) {
            self.client = client
            self.stack = stack
        }

        public mutating func next() async throws(NavClientError) -> StackVersion? { try await next(isolation: nil) }

        public mutating func next(isolation: isolated (any Actor)?) async throws(NavClientError) -> StackVersion? {
            while waiting.isEmpty, !isAtEnd {
                let page = try await client.historyPage(of: stack, before: before)
                waiting = page.versions[...]
                before = page.next
                isAtEnd = page.next == nil
            }
            return waiting.popFirst()
        }
    }
}
