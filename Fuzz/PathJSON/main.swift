// SPDX-License-Identifier: Apache-2.0
// The JSON of SwiftUI's path. What is accepted is written back as an equal path.
import CFuzzDriver
import Glibc
import NavWire

let status = fuzz_main(CommandLine.argc, CommandLine.unsafeArgv) { bytes, count in
    let input = [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    guard let path = try? SwiftUIJSON.decode(input) else { return 0 }
    guard let json = try? SwiftUIJSON.encode(path), let again = try? SwiftUIJSON.decode(json) else {
        fatalError("an accepted path cannot be written and read back")
    }
    precondition(again == path, "a path changed by being written and read back")
    return 0
}
exit(status)
