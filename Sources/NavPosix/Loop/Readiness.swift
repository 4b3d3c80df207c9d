// SPDX-License-Identifier: Apache-2.0
import CNavLinux

/// What a descriptor is ready for, or what a handler wants to hear of.
package struct Readiness: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    /// Both directions are shut. Reported whether asked for or not.
    package static let hungUp = Readiness(rawValue: EPOLLHUP.rawValue)
    /// The descriptor has an error to fetch. Reported whether asked for or not.
    package static let failed = Readiness(rawValue: EPOLLERR.rawValue)
}

/// Who hears that a descriptor is ready.
package protocol ReadinessHandler: AnyObject {
    /// Called in the loop's thread. Level-triggered: what is not taken now is reported again in the next round.
    func descriptorReady(_ readiness: Readiness)
}
