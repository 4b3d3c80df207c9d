// SPDX-License-Identifier: Apache-2.0
import NavWire

/// What the library makes of an envelope, as one line: `refused` and the code; or `accepted`, the payload that the content
/// is written as again in hexadecimal digits, and its JSON, `-` where it has none.
func reading(of digits: String) -> String {
    do {
        let envelope = bytes(digits)
        if try PathEnvelope.anyPayload(of: envelope).first == 1 {
            let path = try PathEnvelope.decode(envelope)
            let payload = try PathEnvelope.verifiedPayload(of: PathEnvelope.encode(path))
            return line(payload, try? SwiftUIJSON.encode(path))
        }
        let node = try NativeValue(payload: PathEnvelope.anyPayload(of: envelope)).node()
        return line(try NativeValue(node).payload, (try? node.jsonValue()).map { JSONWriter.bytes(of: $0) })
    } catch {
        return "refused \(error.code)"
    }
}

private func line(_ payload: [UInt8], _ json: [UInt8]?) -> String {
    "accepted \(hexadecimal(payload))\t" + (json.map { String(decoding: $0, as: UTF8.self) } ?? "-")
}

func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

private func bytes(_ digits: String) -> [UInt8] {
    let values = digits.utf8.map { UInt8(truncatingIfNeeded: Character(Unicode.Scalar($0)).hexDigitValue ?? 0) }
    return stride(from: 0, to: values.count - 1, by: 2).map { values[$0] << 4 | values[$0 + 1] }
}
