// SPDX-License-Identifier: Apache-2.0
// Envelopes. What is accepted has one payload, whichever way it is read, and is written back as the same payload.
import CFuzzDriver
import Glibc
import NavWire

let status = fuzz_main(CommandLine.argc, CommandLine.unsafeArgv) { bytes, count in
    let input = [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    _ = EnvelopeInspection.inspect(input)
    let payload = try? PathEnvelope.verifiedPayload(of: input)
    guard let path = try? PathEnvelope.decode(input) else {
        precondition(payload == nil, "verified, but not decoded")
        return 0
    }
    precondition(payload != nil, "decoded, but not verified")
    guard let again = try? PathEnvelope.encode(path), let same = try? PathEnvelope.verifiedPayload(of: again) else {
        fatalError("an accepted path cannot be written and read back")
    }
    precondition(same == payload, "one path, two payloads")
    _ = try? SwiftUIJSON.encode(path)
    return 0
}
exit(status)
