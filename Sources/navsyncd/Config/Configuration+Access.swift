// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavSync

extension Configuration {
    /// Gives a role to `user:NAME` or `group:NAME`; a number is taken for an id.
    mutating func grant(_ role: LocalRole, to text: String) throws(ConfigurationKey.ValueError) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let name = parts.last, parts[0] == "user" || parts[0] == "group" else {
            throw ConfigurationKey.ValueError(allowed: "user:NAME or group:NAME, a name or a number")
        }
        if parts[0] == "user" {
            guard let id = UInt32(name) ?? getpwnam(name)?.pointee.pw_uid else {
                throw ConfigurationKey.ValueError(allowed: "a user of this machine")
            }
            access.grant(role, toUser: id)
        } else {
            guard let id = UInt32(name) ?? getgrnam(name)?.pointee.gr_gid else {
                throw ConfigurationKey.ValueError(allowed: "a group of this machine")
            }
            access.grant(role, toGroup: id)
        }
        hasAccessEntries = true
    }

    /// Who may do what: root and the daemon's own user administer it. Unless the configuration says otherwise, the group
    /// that may open the socket may write.
    func localAccess(socketGroup: UInt32?) -> LocalAccess {
        var result = access
        result.grant(.administrator, toUser: 0)
        result.grant(.administrator, toUser: geteuid())
        if !hasAccessEntries { result.grant(.writer, toGroup: socketGroup ?? getegid()) }
        return result
    }
}
