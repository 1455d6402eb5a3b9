import Testing

@testable import Secrets

@Suite struct PasswordHashTests {
  @Test func aHashVerifiesItsPasswordAlone() throws {
    let hash = try PasswordHash.make("t1meMa$heen")
    #expect(hash.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
    #expect(PasswordHash.verify("t1meMa$heen", against: hash))
    #expect(!PasswordHash.verify("t1meMa$hee", against: hash))
    #expect(!PasswordHash.verify("", against: hash))
  }

  @Test func twoHashesOfOnePasswordDiffer() throws {
    #expect(try PasswordHash.make("same") != PasswordHash.make("same"))
  }

  @Test func anEmptyPasswordIsHashedToo() throws {
    let hash = try PasswordHash.make("")
    #expect(PasswordHash.verify("", against: hash))
    #expect(!PasswordHash.verify("x", against: hash))
  }

  @Test(arguments: ["", "plain", "$argon2id$v=19$m=19456,t=2,p=1$", String(repeating: "$", count: 500), "a\u{0}b"])
  func textThatIsNoHashVerifiesNothing(_ hash: String) {
    #expect(!PasswordHash.verify("", against: hash))
    #expect(!PasswordHash.verify("plain", against: hash))
  }
}
