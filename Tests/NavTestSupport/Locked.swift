// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A value of a test that several threads use, one at a time.
///
/// A `Mutex` would do, but for the thread sanitizer, which does not see where a contended one is unlocked and takes the
/// next use for a race.
package final class Locked<Value: Sendable>: @unchecked Sendable {
    // Unchecked: `value` is touched only while `mutex` is held; the pointer never changes.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    package init(_ value: Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
