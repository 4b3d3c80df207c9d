// SPDX-License-Identifier: Apache-2.0
import NavSync
import NavTestSupport
import Testing

@Suite struct ReplicaTests {
    @Test func aPushIsPulled() throws {
        let driver = ReplicaDriver()
        let client = driver.openClient()
        let stamp = try #require(driver.push("a", [1, 2, 3], on: client))
        let record = try #require(driver.pull("a", on: client))
        #expect(record.stamp == stamp)
        #expect(record.content == .envelope([1, 2, 3]))
        #expect(record.stamp.origin == node(1))
    }
}
