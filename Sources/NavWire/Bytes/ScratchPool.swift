// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Keeps coder state that is dear to make, so that each call need not.
///
/// States are never freed: a container that a caller kept beyond its call still points to memory of its own kind, and
/// finds by the generation there that its time is over. There are as many as calls ever ran at once.
@safe
final class ScratchPool<State>: Sendable {
    @safe
    private struct Idle {
        var states: [UnsafeMutablePointer<State>] = unsafe []
    }

    // A state is in the pool or with one caller, never both.
    /// The address of the one that is taken first, or 0: while calls do not overlap it comes and goes without a lock.
    private let first = Atomic<UInt>(0)
    private let idle = Mutex<SendableBox<Idle>>(SendableBox(Idle()))
    private let make: @Sendable () -> State

    init(_ make: @escaping @Sendable () -> State) {
        self.make = make
    }

    /// A state that nobody else has.
    func take() -> UnsafeMutablePointer<State> {
        if let state = unsafe UnsafeMutablePointer<State>(bitPattern: first.exchange(0, ordering: .acquiring)) {
            return unsafe state
        }
        if let state = unsafe idle.withLock({ unsafe $0.value.states.popLast() }) { return unsafe state }
        let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
        unsafe state.initialize(to: make())
        return unsafe state
    }

    func give(_ state: UnsafeMutablePointer<State>) {
        let address = UInt(bitPattern: state)
        if first.compareExchange(expected: 0, desired: address, ordering: .releasing).exchanged { return }
        idle.withLock { unsafe $0.value.states.append(state) }
    }
}

/// Says that its user has proved what the compiler cannot see. Here: the pool hands a pointer to one caller only.
struct SendableBox<Value>: @unchecked Sendable {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}
