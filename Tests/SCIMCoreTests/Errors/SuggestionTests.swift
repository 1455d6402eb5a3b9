import SCIMCore
import Testing

@Suite struct SuggestionTests {
  @Test(arguments: [("", "", 0), ("abc", "", 3), ("abc", "abc", 0), ("kitten", "sitting", 3), ("ab", "ba", 2)])
  func distance(_ left: String, _ right: String, _ expected: Int) {
    #expect(Suggestion.distance(left, right) == expected)
    #expect(Suggestion.distance(right, left) == expected)
  }

  @Test(
    arguments: [
      ("srve", "serve"), ("org", "org"), ("ins", "inspect"), ("x", nil), ("zebra", nil),
    ] as [(String, String?)])
  func nearest(_ word: String, _ expected: String?) {
    #expect(Suggestion.nearest(to: word, among: ["serve", "org", "inspect"]) == expected)
  }
}
