// SPDX-License-Identifier: Apache-2.0
// Value payloads. What is accepted is written back as the same bytes, and decodes without a trap.
import CFuzzDriver
import Glibc
import NavWire

/// Takes whatever is there, by every way that a decoder has.
struct Anything: Decodable {
    init(from decoder: any Decoder) throws {
        if let keyed = try? decoder.container(keyedBy: AnyKey.self) {
            for key in keyed.allKeys { _ = try? keyed.decode(Anything.self, forKey: key) }
        } else if var list = try? decoder.unkeyedContainer() {
            while !list.isAtEnd { _ = try? list.decode(Anything.self) }
        } else {
            let value = try decoder.singleValueContainer()
            _ = value.decodeNil()
            _ = try? value.decode(Int.self)
            _ = try? value.decode(String.self)
            _ = try? value.decode(Double.self)
            _ = try? value.decode([String: [Int?]].self)
            _ = try? value.decode(Int??.self)
        }
    }
}

struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

let status = fuzz_main(CommandLine.argc, CommandLine.unsafeArgv) { bytes, count in
    let input = [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    guard let value = try? NativeValue(payload: input) else { return 0 }
    guard let node = try? value.node(), let again = try? NativeValue(node) else {
        fatalError("an accepted payload cannot be read or written")
    }
    precondition(again.payload == input, "one value, two payloads")
    _ = try? value.decode(Anything.self)
    return 0
}
exit(status)
