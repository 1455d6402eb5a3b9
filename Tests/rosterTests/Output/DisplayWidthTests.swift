import Testing

@testable import roster

@Suite struct DisplayWidthTests {
  @Test(
    arguments: [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("Ж", 1), ("田中", 4), ("한글", 4), ("ｱ", 1), ("😀", 2),
      ("محمد", 4), ("a\u{200D}b", 2),
    ])
  func width(_ text: String, _ expected: Int) {
    #expect(DisplayWidth.of(text) == expected)
  }

  @Test(
    arguments: [
      ("abcd", "abcd"), ("abcde", "abc…"), ("田中王", "田…"), ("éééé", "éééé"), ("e\u{301}bcd", "e\u{301}bcd"),
      ("e\u{301}bcde", "e\u{301}bc…"), ("", ""),
    ])
  func shortened(_ text: String, _ expected: String) {
    #expect(DisplayWidth.shortened(text, to: 4) == expected)
  }

  @Test(
    arguments: [
      ("{\n  \"a\": \"é田\"\n}", "{\n  \"a\": \"é田\"\n}"), ("\"x\u{9B}2J\"", #""x\u009B2J""#),
      ("\"\u{7F}\u{85}\u{202E}\u{2069}\"", #""\u007F\u0085\u202E\u2069""#),
    ])
  func jsonSteersNoTerminal(_ text: String, _ expected: String) {
    #expect(DisplayWidth.escaped(text) == expected)
  }
}
