// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavWire

// Writes random documents of Swift values for the second reader, one on each line: the envelope in hexadecimal digits,
// a tab, and what JSONEncoder makes of the same value. Plain, compressed and with a trained dictionary in turn.
//
//     wiredocuments SEED COUNT DICTIONARY

let words = CommandLine.arguments
guard words.count == 4, let seed = UInt64(words[1]), let count = Int(words[2]), count > 0 else {
    FileHandle.standardError.write(Data("usage: wiredocuments SEED COUNT DICTIONARY\n".utf8))
    exit(2)
}
let dictionary = try NavWireDictionary(checking: Array(Data(contentsOf: URL(fileURLWithPath: words[3]))))
let encoders = [
    NavWireEncoder(), NavWireEncoder(options: .init()), NavWireEncoder(options: .init(dictionary: dictionary)),
    NavWireEncoder(options: .init(compression: .zstd(level: 19))),
]
var source = DocumentSource(seed: seed)
let json = JSONEncoder()
for index in 0..<count {
    let document = source.document()
    let envelope = try encoders[index % encoders.count].encode(document)
    let digits = envelope.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    print(digits, String(decoding: try json.encode(document), as: UTF8.self), separator: "\t")
}
