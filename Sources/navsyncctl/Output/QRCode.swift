// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Draws a QR code for a terminal with libqrencode, when that is installed.
///
/// It is looked up at run time: a picture is a convenience, and a server should not need a graphics library for it.
enum QRCode {
    private typealias Encode = @convention(c) (UnsafePointer<CChar>, Int32, Int32) -> UnsafeMutableRawPointer?
    private typealias Free = @convention(c) (UnsafeMutableRawPointer?) -> Void

    // Where the fields of libqrencode 4's `QRcode` stand: int version; int width; unsigned char *data.
    private static let widthOffset = 4
    private static let dataOffset = 8

    /// Light modules around the symbol that readers need.
    private static let margin = 2

    /// The code as lines that end in a line break; nil when the library is missing or the text is too long.
    static func render(_ text: String) -> String? {
        guard let library = dlopen("libqrencode.so.4", RTLD_NOW) else { return nil }
        defer { dlclose(library) }
        guard let encodeAddress = dlsym(library, "QRcode_encodeString8bit"),
            let freeAddress = dlsym(library, "QRcode_free")
        else { return nil }
        let encode = unsafeBitCast(encodeAddress, to: Encode.self)
        let free = unsafeBitCast(freeAddress, to: Free.self)
        // Version 0: the smallest that fits; level 0: least redundancy, since a screen has no scratches.
        guard let symbol = encode(text, 0, 0) else { return nil }
        defer { free(symbol) }
        let width = Int(symbol.load(fromByteOffset: widthOffset, as: Int32.self))
        // `width * width` bytes; the lowest bit says whether a module is dark.
        guard let data = symbol.load(fromByteOffset: dataOffset, as: UnsafePointer<UInt8>?.self),
            (21...177).contains(width)
        else { return nil }
        return draw(width: width) { column, row in data[row * width + column] & 1 == 1 }
    }

    /// Two rows of modules per line of text, black on white whatever the terminal's colours are.
    private static func draw(width: Int, isDark: (Int, Int) -> Bool) -> String {
        func dark(_ column: Int, _ row: Int) -> Bool {
            (0..<width).contains(column) && (0..<width).contains(row) && isDark(column, row)
        }
        var text = ""
        for row in stride(from: -margin, to: width + margin, by: 2) {
            text += "\u{1B}[38;5;16;48;5;231m"
            for column in -margin..<(width + margin) {
                switch (dark(column, row), dark(column, row + 1)) {
                case (true, true): text += "█"
                case (true, false): text += "▀"
                case (false, true): text += "▄"
                case (false, false): text += " "
                }
            }
            text += "\u{1B}[0m\n"
        }
        return text
    }
}
