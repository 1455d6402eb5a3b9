import Foundation
import SCIMCore
import Testing

/// What is said of a text that is no JSON: what stands there, or which common mistake it is.
@Suite struct JSONErrorTextTests {
  @Test(
    arguments: [
      (#"{"a": 1,}"#, "a comma in front of '}'"), ("[1, \n ]", "a comma in front of ']'"),
      ("{\"a\": 1 // one\n}", "a comment, which JSON does not have"),
      ("/* x */ {}", "a comment, which JSON does not have"),
      ("{} # x", "a comment, which JSON does not have"), ("{'a': 1}", "a single quote; JSON has double quotes"),
      ("{“a”: 1}", "a typographic quote; JSON has straight double quotes"),
      ("{a: 1}", "a name must stand in double quotes"), (#"{"a": True}"#, "'True' is written true"),
      (#"{"a": None}"#, "'None' is written null"), (#"[NaN]"#, "'NaN' is no number of JSON"),
      (#"{"a": {} "b": 1}"#, #"a comma is missing in front of '"'"#), ("[1 2]", "a comma is missing in front of '2'"),
      (#"{"a" 1}"#, "a comma or a colon is missing in front of '1'"),
      (#"{"a": é}"#, "the character 'é' is not allowed here"),
      ("[1,\u{0}]", "the character U+0000 is not allowed here"),
      ("[\u{202E}]", "the character U+202E is not allowed here"), ("[", "the JSON text ends inside a value"),
      ("{} {}", "content after the JSON value, from the character '{' on"),
      ("[\"a\nb\"]", "the control character U+000A in a string must be escaped"),
      (#"{"a": 1, "b": 2, "a": 3}"#, "an object names the member 'a' twice"),
      (#"{"a\n\"": 1, "a\n\"": 3}"#, #"an object names the member 'a\n\"' twice"#),
    ])
  func saysWhat(_ text: String, _ expected: String) throws {
    let error = try #require(throws: JSONError.self) { try JSON(parsing: Array(text.utf8)) }
    #expect(error.reason(in: Array(text.utf8)) == expected)
    #expect(error.message(in: Data(text.utf8)).hasPrefix(expected + " (line "))
  }

  @Test func longNamesAreCut() throws {
    for name in [String(repeating: "ä", count: 81), String(repeating: "n", count: 100_000)] {
      let text = Array(#"{"\#(name)": 1, "\#(name)": 2}"#.utf8)
      let error = try #require(throws: JSONError.self) { try JSON(parsing: text) }
      #expect(error.reason(in: text) == "an object names the member '\(name.prefix(80))…' twice")
    }
  }

  /// Errors are logged, and a value may be a secret.
  @Test func ofValuesNothingIsRepeated() throws {
    for text in ["{\"password\": hunter2}", "{\"password\": 'hunter2'}", "{\"password\": \"x\"hunter2}"] {
      let error = try #require(throws: JSONError.self) { try JSON(parsing: Array(text.utf8)) }
      #expect(!error.message(in: Data(text.utf8)).contains("unter2"))
    }
  }
}
