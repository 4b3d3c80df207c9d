// SPDX-License-Identifier: Apache-2.0
import CNavLinux
import Glibc

/// One thread's loop over epoll: descriptors, timers and messages of other threads.
///
/// Owned by the thread that calls `run`. Another thread reaches it only by a `Mailbox` or its `Wakeup`. A round is:
/// wait, tell the handlers whose descriptors are ready, deliver mailboxes, fire due timers, end the round. All that
/// arrived together is therefore seen by one `endOfRound`, which is where batches are made.
package final class EventLoop {
    private struct Slot {
        var handler: (any ReadinessHandler)?
        /// Grows at each registration, so that an event of a closed descriptor does not reach the next user of it.
        var generation: UInt32 = 0
        var isRegistered = false
    }

    /// Ends the wait from another thread.
    package let wakeup: Wakeup
    /// Where connections read into; what is in it is valid until the handler returns.
    let readBuffer: UnsafeMutableRawBufferPointer
    var timers = TimerHeap()
    private let epoll: Int32
    private var slots: [Slot] = []
    private var deliveries: [() -> Void] = []
    private var isStopping = false
    private var mustRunAgain = false

    private static let eventsPerRound = 256
    private static let readBufferByteCount = 256 << 10

    package init() throws(PosixError) {
        wakeup = try Wakeup()
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw .last("open an epoll descriptor") }
        readBuffer = .allocate(byteCount: Self.readBufferByteCount, alignment: 16)
        try control(EPOLL_CTL_ADD, wakeup.descriptor, Readiness.readable, generation: 0)
    }

    deinit {
        close(epoll)
        readBuffer.deallocate()
    }

    // MARK: Descriptors

    /// Reports readiness of `descriptor` to `handler`, which is retained until `unregister`.
    package func register(
        _ descriptor: Int32, for interest: Readiness, handler: any ReadinessHandler
    ) throws(PosixError) {
        let index = Int(descriptor)
        while slots.count <= index { slots.append(Slot()) }
        // Taken only when it is added: a descriptor that is registered already stays so, and is heard of as before.
        let generation = slots[index].generation &+ 1
        try control(EPOLL_CTL_ADD, descriptor, interest, generation: generation)
        slots[index].generation = generation
        slots[index].handler = handler
        slots[index].isRegistered = true
    }

    /// Changes what a registered descriptor is watched for.
    package func update(_ descriptor: Int32, for interest: Readiness) throws(PosixError) {
        try control(EPOLL_CTL_MOD, descriptor, interest, generation: slots[Int(descriptor)].generation)
    }

    /// Forgets a descriptor; call it before closing. Events of this round that it still had are dropped.
    package func unregister(_ descriptor: Int32) {
        let index = Int(descriptor)
        guard slots.indices.contains(index), slots[index].isRegistered else { return }
        slots[index].isRegistered = false
        slots[index].handler = nil
        slots[index].generation &+= 1
        epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
    }

    private func control(
        _ operation: Int32, _ descriptor: Int32, _ interest: Readiness, generation: UInt32
    ) throws(PosixError) {
        let key = UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
        var event = epoll_event(events: interest.rawValue, data: epoll_data_t(u64: key))
        guard epoll_ctl(epoll, operation, descriptor, &event) == 0 else {
            throw .last("watch descriptor \(descriptor)")
        }
    }

    // MARK: Timers and other threads

    /// A timer that calls `action` in this loop's thread.
    package func makeTimer(action: @escaping () -> Void) -> LoopTimer {
        TimerHeap.makeTimer(loop: self, action: action)
    }

    /// A mailbox whose messages `receive` gets in this loop's thread, for as long as the loop lives.
    package func makeMailbox<Message: Sendable>(receive: @escaping (Message) -> Void) -> Mailbox<Message> {
        let mailbox = Mailbox<Message>(wakeup: wakeup)
        deliveries.append { for message in mailbox.takeAll() { receive(message) } }
        return mailbox
    }

    // MARK: Running

    /// Runs rounds until `stop`. `endOfRound` is called after each, and once before the first wait.
    package func run(endOfRound: () -> Void) throws(PosixError) {
        isStopping = false
        let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: Self.eventsPerRound)
        defer { events.deallocate() }
        endOfRound()
        while !isStopping {
            let count = try wait(into: events)
            for event in events[..<count] { dispatch(event) }
            if wakeup.acknowledge() { for deliver in deliveries { deliver() } }
            fireTimers()
            endOfRound()
        }
    }

    /// Makes the next round begin without a wait: something is left to do. From the loop's thread.
    package func runAgain() { mustRunAgain = true }

    /// Ends `run` after the round in which it is called. From the loop's thread.
    package func stop() { isStopping = true }

    private func dispatch(_ event: epoll_event) {
        let key = event.data.u64
        let index = Int(UInt32(truncatingIfNeeded: key))
        if Int32(truncatingIfNeeded: index) == wakeup.descriptor {
            wakeup.drainDescriptor()
            return
        }
        let slot = slots[index]
        guard slot.isRegistered, slot.generation == UInt32(truncatingIfNeeded: key >> 32) else { return }
        slot.handler?.descriptorReady(Readiness(rawValue: event.events))
    }

    private func fireTimers() {
        guard timers.earliest != nil else { return }
        let now = SystemClock.monotonicNanoseconds()
        while let action = timers.popDue(at: now) { action() }
    }

    // MARK: Waiting

    private func wait(into events: UnsafeMutableBufferPointer<epoll_event>) throws(PosixError) -> Int {
        if mustRunAgain {
            mustRunAgain = false
            return try poll(into: events, timeout: 0)
        }
        let timeout = wakeup.prepareToSleep() ? millisecondsToWait() : 0
        defer { wakeup.wokeUp() }
        return try poll(into: events, timeout: timeout)
    }

    private func poll(
        into events: UnsafeMutableBufferPointer<epoll_event>, timeout: Int32
    ) throws(PosixError) -> Int {
        let count = epoll_wait(epoll, events.baseAddress, Int32(events.count), timeout)
        if count >= 0 { return Int(count) }
        guard errno == EINTR else { throw .last("wait for events") }
        return 0
    }

    /// Until the earliest timer, rounded up: a timer fires late by less than a millisecond, never early.
    private func millisecondsToWait() -> Int32 {
        if isStopping { return 0 }
        guard let earliest = timers.earliest else { return -1 }
        let now = SystemClock.monotonicNanoseconds()
        guard earliest > now else { return 0 }
        let milliseconds = (earliest - now + 999_999) / 1_000_000
        return Int32(clamping: milliseconds)
    }
}
