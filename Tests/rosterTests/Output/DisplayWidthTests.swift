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
}
