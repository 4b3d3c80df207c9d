// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// A thread with the least stack that the deepest values must fit.
enum SmallStack {
    /// What a thread has on some systems that is not the first. The address sanitizer puts guards around every local
    /// value: what fits here without it takes several times as much.
    private static let byteCount = dlsym(nil, "__asan_init") == nil ? 512 << 10 : 4 << 20

    static func run(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let thread = Thread { continuation.resume(with: Result { try body() }) }
            thread.stackSize = byteCount
            thread.start()
        }
    }
}
