import Foundation
import Testing

@testable import SCIMCore

struct JSONWriterTests {
  struct Row: CustomTestStringConvertible {
    let value: JSON
    let text: String
    var testDescription: String { text }
  }

  static let rows: [Row] = [
    .init(value: nil, text: "null"),
    .init(value: .integer(.min), text: "-9223372036854775808"),
    .init(value: .integer(.max), text: "9223372036854775807"),
    .init(value: 0, text: "0"),
    .init(value: -10, text: "-10"),
    .init(value: 1.0, text: "1.0"),
    .init(value: .double(-0.0), text: "-0.0"),
    .init(value: 0.1, text: "0.1"),
    .init(value: 1e16, text: "1e+16"),
    .init(value: 123456789012345680.0, text: "1.2345678901234568e+17"),
    .init(value: 1e-7, text: "1e-07"),
    .init(value: .double(.infinity), text: "null"),
    .init(value: .double(.nan), text: "null"),
    .init(value: "http://a/b?c=d", text: #""http://a/b?c=d""#),
    .init(value: "\"\\\u{1}\u{8}\u{9}\u{A}\u{C}\u{D}\u{1F}", text: #""\"\\\u0001\b\t\n\f\r\u001f""#),
    .init(value: "é\u{2028}\u{7F}😀", text: "\"é\u{2028}\u{7F}😀\""),
    .init(value: [], text: "[]"),
    .init(value: [:], text: "{}"),
    .init(value: ["b": [1, [2.5]], "a\"": [:]], text: #"{"b":[1,[2.5]],"a\"":{}}"#),
  ]

  @Test(arguments: rows) func canonicalForm(row: Row) {
    #expect(String(decoding: row.value.encoded(), as: UTF8.self) == row.text)
    #expect(row.value.data() == Data(row.text.utf8))
    var output = Array("before".utf8)
    row.value.write(into: &output)
    #expect(String(decoding: output, as: UTF8.self) == "before" + row.text)
  }

  @Test func stringIsSpliced() {
    var output = Array("{\"id\":".utf8)
    JSON.appendString("a\"b", to: &output)
    #expect(String(decoding: output, as: UTF8.self) == #"{"id":"a\"b""#)
  }

  @Test func everyBasicCharacterAtEveryPlaceReadsBack() throws {
    for length in 1..<20 {
      for position in 0..<length {
        for byte in UInt8.min...0x7F {
          var content = [UInt8](repeating: UInt8(ascii: "x"), count: length)
          content[position] = byte
          let value = JSON.string(String(decoding: content, as: UTF8.self))
          #expect(try JSON(parsing: value.encoded()) == value)
        }
      }
    }
  }

  @Test func prettyForm() throws {
    let value: JSON = ["a": [1, [:], []], "b": ["c": "x"]]
    let text = """
      {
        "a": [
          1,
          {},
          []
        ],
        "b": {
          "c": "x"
        }
      }
      """
    #expect(value.pretty() == text)
    #expect(try JSON(parsing: Array(text.utf8)) == value)
    #expect(JSON.null.pretty() == "null")
  }
}
