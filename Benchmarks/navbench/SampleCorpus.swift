// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavWire

// The types that the apps of Tests/Samples would have.

struct ShopProduct: Codable, Hashable, Sendable {
    var id: UUID
    var sku: String
    var price: Decimal
    var currency: String
    var stock: [String: Int]
}

enum ShopScreen: Codable, Hashable, Sendable { case review(Int64) }
enum ShopSection: Codable, Hashable, Sendable { case catalogue }

struct ShopCategory: Codable, Hashable, Sendable {
    var id: Int
    var path: [String]
}

enum ReaderScreen: Codable, Hashable, Sendable { case page(number: Int, anchor: String?) }

struct ReaderBook: Codable, Hashable, Sendable {
    var id: Int
    var title: String
    var tags: [String]
    var rating: Double
    var addedAt: Date
}

struct ReaderShelf: Codable, Hashable, Sendable {
    var id: UUID
    var name: String
}

struct MailMessage: Codable, Hashable, Sendable {
    var id: UInt64
    var thread: UUID
    var sentAt: Date
    var unread: Bool
    var subject: String
}

enum MailMailbox: String, Codable, Hashable, Sendable { case inbox, archive, sent }

struct FilesFolder: Codable, Hashable, Sendable {
    var id: Int
    var name: String
    var parent: Int?
}

/// The paths in Tests/Samples: what real apps would save, and not what a generator makes.
enum SampleCorpus {
    static let entries: [TypeEntry] = [
        .init("Shop.Product", ShopProduct.self), .init("Shop.Screen", ShopScreen.self),
        .init("Shop.Section", ShopSection.self), .init("Shop.Category", ShopCategory.self),
        .init("Reader.Screen", ReaderScreen.self), .init("Reader.Book", ReaderBook.self),
        .init("Reader.Shelf", ReaderShelf.self), .init("Mail.Message", MailMessage.self),
        .init("Mail.Mailbox", MailMailbox.self), .init("Files.Folder", FilesFolder.self),
    ]

    private static let names = ["shop", "reader", "deep-folders", "mail-long"]

    /// As values of those types.
    static func paths() throws -> [Path] {
        let nested = Codec.makeNestedJSON()
        return try files().map { file in
            let path = try nested.decode(file)
            guard !path.elems.isEmpty else { throw BenchError(reason: "a sample is empty") }
            return path
        }
    }

    /// Bytes of all samples as they are imported from JSON, without a type; as JSON, plain and compressed.
    static func imported() throws -> (jsonBytes: Int, bytes: Int, compressed: Int) {
        var sum = (jsonBytes: 0, bytes: 0, compressed: 0)
        for file in try files() {
            let elements = try SwiftUIJSON.decode(file)
            sum.jsonBytes += file.count
            sum.bytes += try PathEnvelope.encode(elements, options: .init(compression: .none)).count
            sum.compressed += try PathEnvelope.encode(elements).count
        }
        return sum
    }

    private static func files() throws -> [[UInt8]] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try names.map { name in
            Array(try Data(contentsOf: root.appendingPathComponent("Tests/Samples/\(name).json")))
        }
    }
}
