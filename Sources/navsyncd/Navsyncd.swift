// SPDX-License-Identifier: Apache-2.0

@main
enum Navsyncd {
    static let version = "0.1.0"

    static func main() {
        print("navsyncd \(version)")
    }
}
