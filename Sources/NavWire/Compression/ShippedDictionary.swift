// SPDX-License-Identifier: Apache-2.0

extension NavWireDictionary {
    /// The dictionary that small payloads are compressed with unless another is given.
    static let shipped = NavWireDictionary(
        id: 1,
        bytes: Array(
            """
            https://example.com/ShopApp.ProductFiles.FolderMail.MessageReader.ScreenLibrarySwift.Stringtitlename
            """.utf8))
}
