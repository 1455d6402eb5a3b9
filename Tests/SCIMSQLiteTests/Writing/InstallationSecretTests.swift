import SCIMCore
import Testing

struct InstallationSecretTests {
  @Test func theFirstCandidateIsKept() throws {
    let temporary = try TemporaryStore()
    func secret(_ name: String, _ candidate: [UInt8]) throws -> [UInt8] {
      try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
        try transaction.installationSecret(named: name, candidate: candidate)
      }
    }
    #expect(try secret("cursor", [1, 2, 0, 3]) == [1, 2, 0, 3])
    #expect(try secret("cursor", [9]) == [1, 2, 0, 3])
    #expect(try secret("other", [9]) == [9])
  }
}
