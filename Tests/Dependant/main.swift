// SPDX-License-Identifier: Apache-2.0
import NavClient
import NavWire

let json = #"["Shop.Product","{\"id\":7}","Swift.String","\"home\""]"#
let path = try SwiftUIJSON.decode(Array(json.utf8))
let client = try NavClient(DaemonAddress("/nonexistent/navsyncd.sock"), timeout: .seconds(1))
do {
    try await client.push(path, to: "shop/cart")
} catch {
    print("\(path.count) elements, \(error.code): \(error.reason)")
}
