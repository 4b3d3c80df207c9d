// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavModel
import Testing

@Suite struct LocalizationTests {
    private func decode(_ json: String) throws -> LocalizedStringResource {
        try JSONDecoder().decode(LocalizedStringResource.self, from: Data(json.utf8))
    }

    @Test func aLiteralIsKeyAndValue() {
        let resource: LocalizedStringResource = "100% sure"
        #expect(resource.key == "100% sure" && String(localized: resource) == "100% sure")
        #expect(resource.table == nil && resource.bundle == .main)
    }

    @Test func interpolationMakesPlaceholdersAndKeepsArguments() {
        let resource: LocalizedStringResource = "\("Bob") read \(3) of \(UInt8(9)) pages, 50% at \(1.5)"
        #expect(resource.key == "%@ read %lld of %llu pages, 50%% at %lf")
        #expect(String(localized: resource) == "Bob read 3 of 9 pages, 50% at 1.5")
    }

    @Test func aKeyMayHaveAnotherDefaultValue() {
        let resource = LocalizedStringResource("greeting", defaultValue: "hello \("%@")", table: "Main")
        #expect(resource.key == "greeting" && resource.table == "Main")
        #expect(String(localized: resource) == "hello %@")
    }

    @Test(arguments: [
        #"{"defaultValue":{"arguments":[],"key":"ECG"},"bundleURL":"file:///","key":"ECG"}"#, #""ECG""#,
        #"{"key":"ECG"}"#, #"{"defaultValue":{"key":"ECG"}}"#,
        #"{"key":"ECG","bundleURL":"file:///private/var/containers/A.app/","unknown":{"x":[1]}}"#,
    ])
    func everyFormThatIsSeenIsRead(_ json: String) throws {
        #expect(try decode(json) == LocalizedStringResource("ECG"))
    }

    @Test func whatHasNoKeyIsRefused() {
        #expect(throws: DecodingError.self) { try decode("{}") }
        #expect(throws: DecodingError.self) { try decode("1") }
    }

    @Test func anArgumentOfANewerFormLosesNothingElse() throws {
        let json = #"{"key":"%@ and %@","defaultValue":{"key":"%@ and %@","arguments":[{"date":1},{"string":"x"}]}}"#
        #expect(try String(localized: decode(json)) == "%@ and x")
    }

    @Test func itRoundTripsAndNeverNamesAPlaceOnTheDevice() throws {
        var resource = LocalizedStringResource(
            "k", defaultValue: "v \(1) \("s") \(2.5) \(UInt.max)", table: "T", locale: Locale(identifier: "de_DE"),
            bundle: .atURL(URL(fileURLWithPath: "/Applications/Shop.app")))
        let text = String(decoding: try JSONEncoder().encode(resource), as: UTF8.self)
        #expect(!text.contains("Applications") && !text.contains("Shop.app"))
        let decoded = try decode(text)
        #expect(decoded != resource, "the bundle is not carried over")
        #expect(decoded.bundle == .main && decoded.locale == resource.locale && decoded.table == "T")
        #expect(decoded.defaultValue == resource.defaultValue)
        resource.locale = Locale(identifier: "fr")
        #expect(resource.locale.identifier == "fr")
    }

    @Test func tableAndLocaleAreWrittenOnlyWhenTheyAreSet() throws {
        let text = String(decoding: try JSONEncoder().encode(LocalizedStringResource("ECG")), as: UTF8.self)
        #expect(!text.contains("table") && !text.contains("locale"))
    }

    @Test func itIsEquatableByAllItsParts() {
        let one = LocalizedStringResource("a")
        #expect(one == LocalizedStringResource("a"))
        #expect(one != LocalizedStringResource("a", table: "T"))
        #expect(one != LocalizedStringResource("a", defaultValue: "b"))
        #expect(one != LocalizedStringResource("a", bundle: .forClass(Dog.self)))
        #expect(
            LocalizedStringResource("a", bundle: .forClass(Dog.self))
                == LocalizedStringResource("a", bundle: .forClass(Dog.self)))
        #expect(!(one as Any is any Hashable))
    }
}
