// SPDX-License-Identifier: Apache-2.0

/// The first byte of a payload.
enum PayloadForm {
    static let value: UInt8 = 0
    static let path: UInt8 = 1
}

/// The head that all items of an array have, where it is none.
enum ItemHead {
    static let none: UInt16 = 0x100
    static let mixed: UInt16 = 0x101
}
