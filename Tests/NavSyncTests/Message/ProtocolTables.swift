// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavSync

/// The tables of docs/spec/protocol.md as a reader: it knows of messages only what the document says.
struct ProtocolTables {
    struct Row {
        let place: String
        /// The fields in the order given: `varint`, `name` … or record, sign.
        let fields: [String]
    }

    /// The rows under each heading, by type; the table of a record under 0.
    private(set) var rows: [UInt8: [Row]] = [:]
    /// The frame that is shown under each heading.
    private(set) var examples: [UInt8: String] = [:]

    struct Mismatch: Error { let reason: String }

    static func document() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../")
        return try String(contentsOf: root.appending(path: "docs/spec/protocol.md"), encoding: .utf8)
    }

    init(_ document: String) {
        var current: UInt8?
        var isRecord = false
        for line in document.split(separator: "\n") {
            if let heading = line.firstMatch(of: #/^### (\d+) /#) {
                (current, isRecord) = (UInt8(heading.1), false)
            } else if line.hasPrefix("## ") {
                current = nil
            } else if line == "A record:" {
                isRecord = true
            } else if let current, let example = line.firstMatch(of: #/^Example: `([0-9a-f]+)`$/#) {
                examples[current] = String(example.1)
            } else if let current, line.hasPrefix("| "), let row = Self.row(line) {
                rows[isRecord ? 0 : current, default: []].append(row)
            }
        }
    }

    private static func row(_ line: Substring) -> Row? {
        let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard cells.count >= 4, cells[1] != "place", !cells[1].hasPrefix("-") else { return nil }
        let fields = cells[2].split(separator: " ").map { String($0.filter { $0 != "`" }) }
        return Row(place: cells[1], fields: fields)
    }

    // MARK: Reading

    /// Reads a payload to its last byte, or says what the tables do not explain.
    func read(_ payload: [UInt8], of type: UInt8) throws {
        guard let rows = rows[type] else { throw Mismatch(reason: "no table for type \(type)") }
        var reader = ByteReader(payload)
        var count: UInt64 = 0
        for row in rows where !row.place.hasPrefix("optional") {
            switch row.place {
            case "each": for _ in 0..<count { try read(row.fields, &reader, last: &count) }
            case "rest": while reader.remaining > 0 { try readRecord(&reader) }
            default: try read(row.fields, &reader, last: &count)
            }
        }
        try readOptional(rows.filter { $0.place.hasPrefix("optional") }, &reader)
    }

    private func readOptional(_ rows: [Row], _ reader: inout ByteReader) throws {
        var last: UInt64 = 0
        while var field = try reader.readOptionalField(after: &last) {
            let place = "optional \(field.tag)"
            guard let row = rows.first(where: { $0.place == place || $0.place == place + ", repeated" }) else {
                throw Mismatch(reason: "no row for \(place)")
            }
            var ignored: UInt64 = 0
            repeat {
                try read(row.fields, &field.value, last: &ignored)
            } while row.place.hasSuffix("repeated") && field.value.remaining > 0
            try field.value.finish()
        }
    }

    private func readRecord(_ reader: inout ByteReader) throws {
        var kind: UInt64 = 0
        for (number, row) in (rows[0] ?? []).enumerated() {
            var value: UInt64 = 0
            switch row.place {
            case "plus 16": if kind & 16 != 0 { try read(row.fields, &reader, last: &value) }
            case "kind 1", "kind 2":
                if row.place == "kind \(kind & 15)" { try read(row.fields, &reader, last: &value) }
            default: try read(row.fields, &reader, last: &value)
            }
            if number == 0 { kind = value }
        }
    }

    /// `last` gets the value of the last number.
    private func read(_ fields: [String], _ reader: inout ByteReader, last: inout UInt64) throws {
        for field in fields {
            switch field {
            case "u8": last = UInt64(try reader.readByte())
            case "u64": last = try reader.readUInt64()
            case "varint": last = try reader.readVarint()
            case "flag": _ = try reader.readFlag()
            case "bytes": _ = try reader.readBytes()
            case "text": _ = try reader.readText()
            case "name": _ = try reader.readName()
            case "node": _ = try reader.readNodeID()
            case "stamp": _ = try reader.readStamp()
            case "cursor": _ = try reader.readCursor()
            case "sign": break
            default: throw Mismatch(reason: "section 2 has no '\(field)'")
            }
        }
    }
}
