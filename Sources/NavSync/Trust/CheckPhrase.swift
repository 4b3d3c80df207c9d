// SPDX-License-Identifier: Apache-2.0

/// Six words that two people compare after pairing: equal words mean that their daemons trust each other and nobody
/// between them.
package enum CheckPhrase {
    package static let byteCount = 6

    /// One word for each of the first six bytes, which both ends derive from their connection.
    package static func words(for bytes: [UInt8]) -> [String] { bytes.prefix(byteCount).map { words[Int($0)] } }

    package static func text(for bytes: [UInt8]) -> String { words(for: bytes).joined(separator: " ") }

    /// 256 common words in alphabetical order; the first four letters tell any two apart. Never reordered or replaced:
    /// two releases must show the same words.
    package static let words: [String] = """
        acorn actor adobe agent album alder alpine amber anchor angle ankle apple apron arctic arrow atlas autumn
        badge bagel bakery balcony bamboo banana banjo barley basket beaver bell bicycle bison blanket blossom
        bonfire bottle branch breeze brick bridge bronze brush bubble bucket buffalo button cabin cactus camera
        candle canyon carbon carpet castle cedar cellar cement cherry chimney cinema circus citrus clover cobalt
        coconut comet compass copper coral cotton cousin cradle crayon cricket crystal cupboard curtain cushion
        daisy dancer dentist desert diamond dinner dolphin donkey dragon drawer driver drum eagle easel echo
        eclipse elbow ember engine escape fabric falcon farmer feather ferry fiddle finger flame flute forest
        fossil fountain fox freezer friday frost galaxy garden garlic gazelle geyser ginger giraffe glacier glove
        goblet granite grape gravel guitar habit hammer harbor harvest hazel heron hockey honey hotel hunter
        iceberg igloo indigo insect iris island ivory jacket jaguar jasmine jelly jigsaw jungle juniper kayak
        kernel kettle kitten koala ladder lagoon lantern laptop lemon leopard lilac lizard lobster locket lotus
        lumber magnet mango maple marble meadow melon mirror mitten monkey mosaic motor muffin museum napkin nectar
        needle nickel noodle notebook nutmeg oasis ocean olive onion orbit orchid otter oyster paddle palace panda
        paper parrot peanut pebble pencil pepper piano pigeon pillow planet plum pocket pony potato prairie pumpkin
        puzzle quartz quilt rabbit radar raven ribbon river robin rocket saddle salmon sandal sapphire scarf school
        shadow silver sketch spider squirrel statue sunset swan table tailor temple thunder tiger tomato tractor
        trumpet tulip tunnel turtle umbrella valley velvet violin walnut whale window
        """.split(whereSeparator: \.isWhitespace).map(String.init)
}
