import Testing

@testable import Secrets

@Suite struct APIKeySecretTests {
  @Test func secretsHaveThePrefixAnd256Bits() {
    let secret = APIKeySecret.generate()
    #expect(secret.hasPrefix("rst_"))
    let body = secret.dropFirst(4)
    #expect(body.utf8.count == 43)
    #expect(body.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
  }

  @Test func secretsDiffer() {
    #expect(Set((0..<100).map { _ in APIKeySecret.generate() }).count == 100)
  }

  /// The test vectors of RFC 4648 section 10 without padding, and two bytes that tell base64url from base64.
  @Test(arguments: [
    ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
    ("foobar", "Zm9vYmFy"),
  ])
  func base64URL(_ input: String, _ expected: String) {
    #expect(APIKeySecret.base64URL(Array(input.utf8)) == expected)
  }

  @Test func base64URLUsesTheURLAlphabet() {
    #expect(APIKeySecret.base64URL([0xFB, 0xFF]) == "-_8")
  }
}
