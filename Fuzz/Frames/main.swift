// SPDX-License-Identifier: Apache-2.0
// The byte stream of a connection: frames, and every message in them. What is accepted is written back as an equal
// message; where the stream is cut between two reads makes no difference.
import CFuzzDriver
import Glibc
import NavSync

let limit = 1 << 20

func messages(_ input: [UInt8], splitAt split: Int) -> [Message] {
    var cutter = FrameCutter()
    var found: [Message] = []
    for part in [input[..<split], input[split...]] {
        cutter.append(part)
        while let frame = try? cutter.next(limit: limit) {
            if let message = try? Message(reading: frame) { found.append(message) }
        }
    }
    return found
}

let status = fuzz_main(CommandLine.argc, CommandLine.unsafeArgv) { bytes, count in
    let input = [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    let whole = messages(input, splitAt: 0)
    precondition(
        whole == messages(input, splitAt: Int(input.first ?? 0) % (count + 1)), "the split changed the messages")
    for message in whole {
        var frame: [UInt8] = []
        message.write(to: &frame)
        precondition(messages(frame, splitAt: 0) == [message], "a message changed by being written and read back")
    }
    return 0
}
exit(status)
