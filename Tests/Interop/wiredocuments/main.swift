// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavWire

// For the second reader. Writes random documents of Swift values, one on each line: the envelope in hexadecimal digits,
// a tab, and what JSONEncoder makes of the same value. Plain, compressed and with a trained dictionary in turn. Or says
// what it makes of the envelopes that it is given, one on each line.
//
//     wiredocuments SEED COUNT DICTIONARY
//     wiredocuments read

let words = CommandLine.arguments
if words.count == 2, words[1] == "read" {
    while let line = readLine() { print(reading(of: line)) }
    exit(0)
}
guard words.count == 4, let seed = UInt64(words[1]), let count = Int(words[2]), count > 0 else {
    FileHandle.standardError.write(Data("usage: wiredocuments SEED COUNT DICTIONARY | read\n".utf8))
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
    print(hexadecimal(envelope), String(decoding: try json.encode(document), as: UTF8.self), separator: "\t")
}
