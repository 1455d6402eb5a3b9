import SCIMCore
import Testing

@Suite struct AnswerPatternTests {
  static let answer: JSON = ["a": 1, "b": ["x", "y"], "c": ["d": true]]

  @Test(
    arguments: [
      ("a part", ["a": 1], nil), ("all", answer, nil), ("any value", ["c": "…"], nil),
      ("the first elements", ["b": ["x", "…"]], nil), ("another value", ["a": 2], "answer.a is 1"),
      ("too few elements", ["b": ["x"]], "answer.b has 2 elements"),
      ("another element", ["b": ["x", "z"]], "answer.b[1] is \"y\""),
      ("a missing member", ["c": ["e": "…"]], "answer.c.e is missing"),
    ] as [(String, JSON, String?)])
  func matches(_ name: String, _ pattern: JSON, _ expected: String?) {
    #expect(AnswerPattern(pattern: pattern).difference(from: Self.answer) == expected)
  }
}
