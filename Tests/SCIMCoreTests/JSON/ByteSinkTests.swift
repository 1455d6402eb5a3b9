import Testing

@testable import SCIMCore

struct ByteSinkTests {
  private func text(_ write: (inout ByteSink) -> Void) -> String {
    var sink = ByteSink(capacity: 0)
    write(&sink)
    return String(decoding: sink.bytes, as: UTF8.self)
  }

  @Test("A byte that needs an escape is found wherever it stands", arguments: ["\"", "\\", "\u{0}", "\n", "\u{1F}"])
  func escapes(character: String) {
    for length in 0..<20 {
      for place in 0...length {
        let value = String(repeating: "é", count: place) + character + String(repeating: "~", count: length - place)
        var expected: [UInt8] = []
        JSON.appendString(value, to: &expected)
        #expect(text { $0.appendString(value) } == String(decoding: expected, as: UTF8.self))
      }
    }
  }

  @Test(arguments: ["", "a", "12345678", "0123456789abcdef ", "\u{7F}\u{80}ÿ東京😀 !#[]"])
  func plainTextIsQuotedAsItIs(value: String) {
    #expect(text { $0.appendString(value) } == "\"" + value + "\"")
  }

  @Test func segmentsAreEncodedWhereTheyMustBe() {
    #expect(text { $0.appendSegment("Az09-._~") } == "Az09-._~")
    #expect(text { $0.appendSegment("a/b c%é@`{[^") } == "a%2Fb%20c%25%C3%A9%40%60%7B%5B%5E")
  }

  @Test func numbersAndTimes() {
    #expect(text { $0.append(Int64.min) } == "-9223372036854775808")
    #expect(text { $0.append(Timestamp(milliseconds: 0)) } == "1970-01-01T00:00:00.000Z")
  }

  @Test func growsBeyondItsRoom() {
    let piece = String(repeating: "x", count: 1000)
    let long = text { sink in for _ in 0..<50 { sink.appendString(piece) } }
    #expect(long == String(repeating: "\"" + piece + "\"", count: 50))
  }
}
