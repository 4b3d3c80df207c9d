// SPDX-License-Identifier: Apache-2.0
import Glibc

/// How many descriptors this process may have open.
package enum DescriptorLimit {
    /// Raises the soft limit to the hard one, but not above `wanted`, and returns what now holds.
    package static func raise(towards wanted: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        let target = min(limit.rlim_max, rlim_t(max(0, wanted)))
        if limit.rlim_cur < target {
            let before = limit.rlim_cur
            limit.rlim_cur = target
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 { limit.rlim_cur = before }
        }
        return Int(exactly: limit.rlim_cur) ?? Int.max
    }
}
