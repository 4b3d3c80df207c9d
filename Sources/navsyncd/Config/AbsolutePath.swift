// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A path given on the command line, from the root: the daemon does not depend on where it was started.
func absolutePath(_ path: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    guard let buffer = getcwd(nil, 0) else { return path }
    defer { free(buffer) }
    let directory = String(cString: buffer)
    return directory.hasSuffix("/") ? directory + path : directory + "/" + path
}
