import Testing

@testable import Secrets

@Suite struct SecretDigestTests {
  static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// FIPS 180-4 examples.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func sha256(_ input: String, _ expected: String) {
    #expect(Self.hex(SecretDigest.sha256(input)) == expected)
    #expect(Self.hex(SecretDigest.sha256(Array(input.utf8))) == expected)
  }

  @Test(
    arguments: [
      ([], [], true), ([1, 2, 3], [1, 2, 3], true), ([1, 2, 3], [1, 2, 4], false), ([0, 2, 3], [1, 2, 3], false),
      ([1, 2], [1, 2, 3], false),
    ] as [([UInt8], [UInt8], Bool)])
  func equal(_ left: [UInt8], _ right: [UInt8], _ expected: Bool) {
    #expect(SecretDigest.equal(left, right) == expected)
  }
}
