// SPDX-License-Identifier: Apache-2.0

/// Completion scripts, made from a command table.
///
/// Names of stacks are asked from the daemon with a short time limit; no daemon means no names, silently.
enum CompletionScript {
    static let shells = ["bash", "zsh", "fish"]

    static func text(for shell: String, _ table: CommandTable) -> String? {
        switch shell {
        case "bash": BashCompletion.text(table)
        case "zsh": ZshCompletion.text(table)
        case "fish": FishCompletion.text(table)
        default: nil
        }
    }

    static let listing = "navsyncctl --timeout 0.5 list --names 2>/dev/null"
    static let origin = "made by 'navsyncctl completion'; do not edit"
}
