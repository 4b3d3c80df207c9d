// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import NavWire

/// What documents leave behind in coders that outlive them.
@Suite struct ManyDocumentsTests {
    /// One shape with one key of a mebibyte, which nothing uses: refused, but its key has been read by then.
    private func payload(_ number: Int, keyByteCount: Int) -> [UInt8] {
        let key = [UInt8](repeating: 0x61, count: keyByteCount - 4) + Array("\(1000 + number)".utf8)
        return [1, 0, 1, 1, 1] + RawEnvelope.varint(UInt64(key.count)) + key + [0]
    }

    @Test func longKeysAreForgotten() {
        var scanner = PayloadScanner()
        defer { scanner.free() }
        for number in 0..<64 {
            let payload = payload(number, keyByteCount: 1 << 19)
            #expect(throws: NavWireError.self) {
                try payload.withBytes { bytes throws(NavWireError) in
                    try unsafe scanner.scan(bytes, limits: .default)
                }
            }
            #expect(scanner.keys.byteCount <= 2 << 20)
        }
    }

    @Test func writersForgetKeysToo() throws {
        for number in 0..<12 {
            let members = (0..<1000).map { "key \(number) \($0)" }
            let json = "{" + members.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
            let elements = try SwiftUIJSON.decode(Array("[\"A.B\",\(quoted(json))]".utf8))
            _ = try PathEnvelope.encode(elements)
        }
        let writer = unsafe NavWire.Coders.writers.take()
        defer { unsafe NavWire.Coders.writers.give(writer) }
        #expect(unsafe writer.pointee.keys.count <= 6000)
    }

    private func quoted(_ text: String) -> String {
        "\"" + text.replacing("\"", with: "\\\"") + "\""
    }
}
