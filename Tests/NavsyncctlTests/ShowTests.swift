// SPDX-License-Identifier: Apache-2.0
import NavWire
import Testing

@testable import navsyncctl

@Suite struct ShowTests {
    private func elements(_ json: String) throws -> [PathElement] { try SwiftUIJSON.decode(Array(json.utf8)) }

    @Test func eachElementIsALineFromTheRootDown() throws {
        let path = try elements(#"["Shop.Product","{\"id\":7}","Swift.Int","1"]"#)
        #expect(ShowCommand.lines(path) == ["0  Swift.Int     1", #"1  Shop.Product  {"id":7}"#])
        #expect(ShowCommand.lines([]) == [])
    }

    @Test func placesAreAlignedAndALongTagDoesNotPushTheValuesAway() throws {
        let tag = String(repeating: "T", count: 60)
        let path = Array(repeating: PathElement(tag: "A.B", value: .json(.null)), count: 10)
        let lines = ShowCommand.lines(path + [PathElement(tag: tag, value: .json(.null))])
        #expect(lines[0] == " 0  A.B" + String(repeating: " ", count: 37) + "  null")
        #expect(lines[10] == "10  \(tag)  null")
    }

    @Test func whatComesFromElsewhereCannotDisturbATerminal() throws {
        let path = [PathElement(tag: "A.\u{202E}B", value: .verbatim("{\u{1B}[2J"))]
        #expect(ShowCommand.lines(path) == [#"0  A.\u{202E}B  {\u{1B}[2J"#])
        let json = String(decoding: ShowCommand.object(path[0], at: 0), as: UTF8.self)
        #expect(!json.unicodeScalars.contains("\u{1B}") && !json.unicodeScalars.contains("\u{202E}"))
    }

    @Test func jsonHoldsValuesAndMarksWhatIsOdd() throws {
        let path = try elements(#"["Swift.Int","7","App.Gone","{\"id\":"]"#)
        #expect(
            String(decoding: ShowCommand.object(path[1], at: 1), as: UTF8.self)
                == #"{"index":1,"tag":"Swift.Int","item":7}"#)
        let odd = String(decoding: ShowCommand.object(path[0], at: 0), as: UTF8.self)
        #expect(odd.hasPrefix(#"{"index":0,"tag":"App.Gone","item":"{\"id\":","oddity":"item kept verbatim"#))
    }
}
