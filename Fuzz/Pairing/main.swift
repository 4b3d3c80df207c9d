// SPDX-License-Identifier: Apache-2.0
// What comes from outside before anybody is trusted: pairing messages, links, hellos, and the file of trusted peers. What
// is accepted is written back to the same bytes, or to an equal value where white space or unknown fields may differ.
import CFuzzDriver
import Glibc
import NavSync

func checkMessage(_ input: [UInt8]) {
    guard let message = try? PairingMessage.decode(input) else { return }
    if case .refused = message { return }
    let again = try? PairingMessage.decode(message.encoded)
    precondition(again == message, "a pairing message changed by being written and read back")
}

func checkLink(_ input: [UInt8]) {
    guard let link = try? PairingLink(String(decoding: input, as: UTF8.self)) else { return }
    precondition((try? PairingLink(link.text)) == link, "a link changed by being written and read back")
}

func checkHello(_ input: [UInt8]) {
    var reader = ByteReader(input)
    guard let hello = try? Hello(reading: &reader) else { return }
    var payload: [UInt8] = []
    hello.writePayload(to: &payload)
    var second = ByteReader(payload)
    precondition((try? Hello(reading: &second)) == hello, "a hello changed by being written and read back")
}

func checkTable(_ input: [UInt8]) {
    let sealed = PeerTable.sealed(input)
    guard let table = try? PeerTable(decoding: sealed) else { return }
    precondition(table.encoded == sealed, "an accepted table of peers is not canonical")
}

let status = fuzz_main(CommandLine.argc, CommandLine.unsafeArgv) { bytes, count in
    guard let kind = UnsafeRawBufferPointer(start: bytes, count: count).first else { return 0 }
    let input = [UInt8](UnsafeRawBufferPointer(start: bytes, count: count).dropFirst())
    switch kind & 3 {
    case 0: checkMessage(input)
    case 1: checkLink(input)
    case 2: checkHello(input)
    default: checkTable(input)
    }
    return 0
}
exit(status)
