// SPDX-License-Identifier: Apache-2.0
import Foundation
import NavPosix
import Testing

@Suite struct NodeIdentityTests {
    private func load(
        _ directory: ScratchDirectory, credentials: ScratchDirectory? = nil
    ) throws(IdentityError) -> NodeIdentity {
        try NodeIdentity.load(stateDirectory: directory.path, credentialsDirectory: credentials?.path)
    }

    private func refusal(_ code: IdentityError.Code) -> IdentityError {
        IdentityError(code: code, reason: "", hint: "")
    }

    @Test func theFirstStartMakesAKeyAndTheSecondFindsIt() throws {
        let directory = try ScratchDirectory()
        let first = try load(directory)
        let second = try load(directory)
        #expect(first.source == .created)
        #expect(second.source == .file)
        #expect(first.nodeID == second.nodeID)
        #expect(first.nodeID.count == 16)
        #expect(try directory.mode(of: "identity.key") == 0o600)
        #expect(!directory.exists("identity.key.tmp"))
    }

    @Test func theNodeIDIsTheStartOfTheHashOfThePublicKey() throws {
        let key = IdentityKey.generate()
        #expect(key.nodeID == Array(SHA256Digest.hash(key.publicKey).prefix(16)))
    }

    @Test func theModeOfTheKeyDoesNotFollowTheUmask() throws {
        // The umask belongs to the whole process; the other tests set the modes that matter to them.
        let directory = try ScratchDirectory()
        let old = umask(0)
        defer { umask(old) }
        _ = try load(directory)
        #expect(try directory.mode(of: "identity.key") == 0o600)
        #expect(try directory.mode(of: "identity.pub") == 0o600)
    }

    @Test(arguments: ["", String(repeating: "\0", count: 160)])
    func aPowerCutBetweenWriteAndRenameIsRecovered(_ live: String) throws {
        let directory = try ScratchDirectory()
        let before = try load(directory)
        try directory.write(directory.text(of: "identity.key"), to: "identity.key.tmp")
        try directory.write(live, to: "identity.key")
        let after = try load(directory)
        #expect(after.source == .recovered)
        #expect(after.nodeID == before.nodeID)
        #expect(try load(directory).source == .file)
    }

    @Test func aPowerCutAtTheVeryFirstStartIsRecovered() throws {
        let made = try ScratchDirectory()
        let before = try load(made)
        let directory = try ScratchDirectory()
        try directory.write(made.text(of: "identity.key"), to: "identity.key.tmp")
        let after = try load(directory)
        #expect(after.source == .recovered)
        #expect(after.nodeID == before.nodeID)
    }

    @Test func anIncompleteTemporaryFileOfTheVeryFirstStartIsReplaced() throws {
        let directory = try ScratchDirectory()
        try directory.write("navsync identity key 1\npriv", to: "identity.key.tmp")
        #expect(try load(directory).source == .created)
    }

    @Test(arguments: 0..<160)
    func aKeyCutAnywhereIsRefusedAndNotReplaced(_ count: Int) throws {
        let directory = try ScratchDirectory()
        _ = try load(directory)
        let whole = try directory.text(of: "identity.key")
        #expect(whole.utf8.count > 159)
        try directory.write(String(whole.prefix(count)), to: "identity.key")
        #expect(throws: refusal(.damaged)) { try load(directory) }
        #expect(try directory.text(of: "identity.key") == String(whole.prefix(count)))
    }

    @Test func everyFlippedBitIsRefused() throws {
        let directory = try ScratchDirectory()
        _ = try load(directory)
        let whole = Array(try directory.text(of: "identity.key").utf8)
        let url = URL(fileURLWithPath: directory.path + "/identity.key")
        for index in whole.indices {
            for bit in 0..<8 {
                var bytes = whole
                bytes[index] ^= 1 << UInt8(bit)
                try Data(bytes).write(to: url)
                #expect(throws: refusal(.damaged), "bit \(bit) of byte \(index)") { try load(directory) }
            }
        }
    }

    @Test func aLostKeyIsNeverReplacedByANewOne() throws {
        let directory = try ScratchDirectory()
        _ = try load(directory)
        try FileManager.default.removeItem(atPath: directory.path + "/identity.key")
        #expect(throws: refusal(.missing)) { try load(directory) }
        #expect(!directory.exists("identity.key"))
    }

    @Test func aKeyThatOthersMayReadIsRefused() throws {
        let directory = try ScratchDirectory()
        _ = try load(directory)
        try directory.write(directory.text(of: "identity.key"), to: "identity.key", mode: 0o640)
        #expect(throws: refusal(.exposed)) { try load(directory) }
    }

    @Test func theKeyOfAnotherNodeIsRefused() throws {
        let directory = try ScratchDirectory()
        let other = try ScratchDirectory()
        _ = try load(directory)
        _ = try load(other)
        try directory.write(other.text(of: "identity.key"), to: "identity.key")
        #expect(throws: refusal(.foreign)) { try load(directory) }
    }

    @Test func aCredentialIsUsedAndNotCopied() throws {
        let made = try ScratchDirectory()
        let credentials = try ScratchDirectory()
        let directory = try ScratchDirectory()
        let expected = try load(made).nodeID
        try credentials.write(made.text(of: "identity.key"), to: "navsync.identity", mode: 0o440)
        let identity = try load(directory, credentials: credentials)
        #expect(identity.source == .credential)
        #expect(identity.nodeID == expected)
        #expect(!directory.exists("identity.key"))
        // The directory remembers whose it is when the credential is forgotten.
        #expect(throws: refusal(.missing)) { try load(directory) }
    }

    @Test func aCredentialOfAnotherNodeIsRefused() throws {
        let directory = try ScratchDirectory()
        let made = try ScratchDirectory()
        let credentials = try ScratchDirectory()
        _ = try load(directory)
        _ = try load(made)
        try credentials.write(made.text(of: "identity.key"), to: "navsync.identity")
        #expect(throws: refusal(.foreign)) { try load(directory, credentials: credentials) }
    }

    @Test func aDamagedCredentialIsRefused() throws {
        let directory = try ScratchDirectory()
        let credentials = try ScratchDirectory()
        try credentials.write("secret", to: "navsync.identity")
        #expect(throws: refusal(.damaged)) { try load(directory, credentials: credentials) }
        #expect(!directory.exists("identity.key"))
    }

    @Test func aMissingDirectoryIsAnErrorAndNotAnIdentity() throws {
        #expect(throws: refusal(.unavailable)) {
            try NodeIdentity.load(stateDirectory: "/nonexistent/navsync", credentialsDirectory: nil)
        }
    }

    @Test func signaturesVerifyAndNothingElseDoes() {
        let key = IdentityKey.generate()
        let message = Array("tls key".utf8)
        let signature = key.sign(message)
        #expect(IdentityKey.isSignature(signature, of: message, by: key.publicKey))
        #expect(!IdentityKey.isSignature(signature, of: message + [0], by: key.publicKey))
        #expect(!IdentityKey.isSignature(signature, of: message, by: IdentityKey.generate().publicKey))
        #expect(!IdentityKey.isSignature([], of: message, by: key.publicKey))
        #expect(!IdentityKey.isSignature(signature, of: message, by: []))
    }
}
