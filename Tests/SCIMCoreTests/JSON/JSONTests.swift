import Testing

@testable import SCIMCore

@Suite("JSON values")
struct JSONTests {
  @Test("texts that are only canonically equivalent are different values")
  func canonicalEquivalence() {
    #expect(JSON.string("\u{E9}") != JSON.string("e\u{301}"))
    #expect(JSONObject([.init(key: "\u{E9}", value: 1)]) != JSONObject([.init(key: "e\u{301}", value: 1)]))
    #expect(Set<JSON>(["\u{E9}", "e\u{301}", "\u{E9}"]).count == 2)
  }
}
