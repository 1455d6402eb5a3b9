import Testing

@testable import SCIMCore

struct TextSignatureTests {
  private func signature(_ texts: String...) -> TextSignature {
    var signature = TextSignature()
    for text in texts { signature.insert(text) }
    return signature
  }

  private func mayContain(_ whole: TextSignature, _ part: String) -> Bool {
    signature(part).wanted.allSatisfy { whole.bytes[$0.index] & $0.bits == $0.bits }
  }

  @Test(arguments: ["minjun.lee.3001@generated.example", "이민준", "hoàng nguyên", "abc", "\u{0}\u{0}z"])
  func everyPartOfATextIsFound(_ text: String) {
    let whole = signature("another text", text)
    let bytes = Array(text.utf8)
    for start in bytes.indices {
      for end in start + 3..<max(bytes.count + 1, start + 4) where end <= bytes.count {
        let part = String(decoding: bytes[start..<end], as: UTF8.self)
        // Parts that cut a character in two are no texts.
        if part.utf8.elementsEqual(bytes[start..<end]) { #expect(mayContain(whole, part)) }
      }
    }
  }

  @Test func mostOtherTextsAreNot() {
    let whole = signature("minjun.lee.3001@generated.example", "minjun lee", "associate consultant")
    let found = (0..<1000).filter { number in
      let letters = (0..<6).map {
        Character(Unicode.Scalar(UInt8(97 + (number * 7919 + $0 * $0 * 131 + $0 * 29) % 26)))
      }
      return mayContain(whole, String(letters))
    }
    #expect(found.count < 20)
  }

  @Test func aTextBelowThreeBytesSetsNothing() {
    #expect(signature("ab", "", "é").wanted.isEmpty)
    #expect(signature("abc").wanted.count == 1)
    #expect(signature("漢").wanted.count == 1)
  }

  @Test func theSearchedTextsAreThoseOfTheBaseSchema() throws {
    let user = try #require(BuiltInSchemas.registry.type(named: "User"))
    let covered = Set(user.indexedLeaves.filter(\.isInSignature).map(\.path))
    #expect(covered.isSuperset(of: ["userName", "externalId", "displayName", "name.familyName", "emails.value"]))
    for path in ["active", "emails.type", "schemas", "profileUrl", "roles.value", "groups.value", "photos.value"] {
      #expect(!covered.contains(path), "\(path)")
    }
    #expect(!covered.contains { $0.hasPrefix("urn:") })
  }
}
