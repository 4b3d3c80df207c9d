// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Foundation's coders as SwiftUI uses them: with default strategies.
enum Coders {
    static var decoder: JSONDecoder { JSONDecoder() }
    static var encoder: JSONEncoder { JSONEncoder() }

    static func text(_ value: some Encodable) throws -> String {
        String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
