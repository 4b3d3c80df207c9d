// SPDX-License-Identifier: Apache-2.0
// The JSON of a path, in SwiftUI's form and those of other libraries. What is accepted is written back as an equal path;
// tags are looked up and items decoded as an app would.
import CFuzzDriver
import Glibc
import NavWire

let status = fuzz_main(CommandLine.argc, CommandLine.unsafeArgv) { bytes, count in
    let input = [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    for form in PathForm.allCases {
        guard let path = try? PathJSON.decode(input, form: form, plainTag: "A.B").elements else { continue }
        var decoded = NavigationPath(path)
        let issues = decoded.resolve(using: .standard)
        precondition(decoded.count == path.count && issues.count == decoded.unresolvedCount, "an element was lost")
        let json: [UInt8]
        do throws(NavWireError) {
            json = try SwiftUIJSON.encode(path)
        } catch {
            // Where every tag looks mangled it would be taken for another library's.
            precondition(error.code == .notRepresentable, "a path that was read cannot be written")
            continue
        }
        // Mangled names may stand for longer ones, and items may be escaped more: a limit is the only reason to refuse.
        if let again = try? SwiftUIJSON.decode(json) { precondition(again == path, "a path changed: \(form)") }
    }
    guard let path = try? SwiftUIJSON.decode(input) else { return 0 }
    guard let json = try? SwiftUIJSON.encode(path), let again = try? SwiftUIJSON.decode(json) else {
        fatalError("an accepted path cannot be written and read back")
    }
    precondition(again == path, "a path changed by being written and read back")
    return 0
}
exit(status)
