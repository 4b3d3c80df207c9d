// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavPosix
import Testing

@Suite struct ServiceManagerTests {
    @Test func aReloadIsAnnouncedWithItsTimeInOneMessage() {
        #expect(
            ServiceManager.Notice.reloading(monotonicMicroseconds: 42).text == "RELOADING=1\nMONOTONIC_USEC=42")
        #expect(ServiceManager.Notice.ready(status: "up").text == "READY=1\nSTATUS=up")
    }

    @Test func withoutAManagerNothingIsInheritedOrWatched() throws {
        #expect(try ServiceManager.none.inheritedSockets() == [])
        #expect(ServiceManager.none.watchdogInterval == nil)
        ServiceManager.none.notify(.watchdog)
    }
}

@Suite struct JournalStreamTests {
    @Test func onlyTheVeryFileCounts() throws {
        let scratch = try Scratch()
        try scratch.write("log", "x")
        let descriptor = open(scratch.file("log"), O_RDONLY)
        defer { close(descriptor) }
        var status = stat()
        #expect(fstat(descriptor, &status) == 0)
        let name = "\(status.st_dev):\(status.st_ino)"
        #expect(JournalStream.isConnected(to: descriptor, environment: name))
        #expect(!JournalStream.isConnected(to: descriptor, environment: name + "1"))
        for text in [nil, "", "1", "a:b", "1:2:3"] {
            #expect(!JournalStream.isConnected(to: descriptor, environment: text))
        }
    }
}
