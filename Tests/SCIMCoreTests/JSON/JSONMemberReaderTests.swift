import Testing

@testable import SCIMCore

struct JSONMemberReaderTests {
  private func members(_ names: [String], of text: String) throws -> JSONObject {
    var text = text
    return try text.withUTF8 { try JSONMemberReader.members(names, of: UnsafeRawBufferPointer($0)) }
  }

  static let texts = [
    #"{}"#, #"{"a":1}"#, #"{"a":"}\"{","b":[{"a":2},"]"],"c":null}"#, #"{"aa":1,"a":{"a":[[],{}]}}"#,
    #"{"x":"\\","a":"\\\"","b":-1.5e3}"#, #" { "a" : [ 1 , true ] , "b" : { } } "#, #"{"":0,"a":"é","\u0062":"東"}"#,
  ]

  @Test("What is read is what the whole text says", arguments: texts) func sameAsParsing(text: String) throws {
    let whole = try #require(try JSON(parsing: Array(text.utf8)).objectValue)
    for names in [[], ["a"], ["b"], ["a", "b"], ["c", "", "a"], ["none"]] as [[String]] {
      let wanted = JSONObject(whole.members.filter { names.contains($0.key) })
      #expect(try members(names, of: text) == wanted)
    }
  }

  @Test(
    "A text that ends too soon is refused",
    arguments: [#""#, #"{"#, #"{"a""#, #"{"a":"#, #"{"b":[{}"#, #"[1]"#, #"{"b":"\""#])
  func broken(text: String) {
    #expect(throws: JSONError.self) { try members(["a"], of: text) }
  }
}
