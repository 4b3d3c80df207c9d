// SPDX-License-Identifier: Apache-2.0

/// Swift's mangled type names, as some libraries write them for tags.
///
/// They are parsed here as text. Nothing that came from outside is ever given to the runtime's type lookup, which
/// crafted names have crashed.
enum MangledName {
    private static let scalars: Set<String> = ["Si", "SS", "Sb", "Sd", "Sf", "Su"]

    /// Whether a tag is a mangled name. A readable name never begins with a digit, and the mangled names of standard
    /// types are two letters.
    static func isMangled(_ tag: String) -> Bool {
        if tag.hasSuffix("Sg") { return isMangled(String(tag.dropLast(2))) }
        let isCollection = tag.hasSuffix("G") && ["Say", "Shy", "SDy"].contains(where: tag.hasPrefix)
        return scalars.contains(tag) || isCollection || tag.utf8.first.map { 0x30...0x39 ~= $0 } ?? false
    }
}
