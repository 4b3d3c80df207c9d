// SPDX-License-Identifier: Apache-2.0
import NavPosix
import Testing

@Suite struct TLSKeyFileTests {
    @Test func theKeyStaysUntilItIsRotated() throws {
        let directory = try ScratchDirectory()
        let identity = IdentityKey.generate()
        let made = try TLSKeyFile.load(stateDirectory: directory.path, identity: identity, wallMilliseconds: 50)
        let found = try TLSKeyFile.load(stateDirectory: directory.path, identity: identity, wallMilliseconds: 99)
        #expect(made.isNew && !found.isNew)
        #expect(made.key.publicKey == found.key.publicKey)
        #expect(found.key.generation == 50)
        #expect(try directory.mode(of: "tls.key") == 0o600)
        let rotated = try TLSKeyFile.rotate(stateDirectory: directory.path, identity: identity, last: 50, 20)
        #expect(rotated.generation == 51)
        #expect(rotated.publicKey != found.key.publicKey)
        let after = try TLSKeyFile.load(stateDirectory: directory.path, identity: identity, wallMilliseconds: 99)
        #expect(after.key.publicKey == rotated.publicKey)
    }

    @Test(arguments: ["", "navsync tls key 1\n", "x", String(repeating: "y", count: 5000)])
    func aDamagedKeyIsReplaced(_ text: String) throws {
        let directory = try ScratchDirectory()
        try directory.write(text, to: "tls.key")
        let made = try TLSKeyFile.load(
            stateDirectory: directory.path, identity: .generate(), wallMilliseconds: 50)
        #expect(made.isNew)
        #expect(try directory.text(of: "tls.key").hasPrefix("navsync tls key 1\ngeneration 50\n"))
    }
}
