import Foundation
import Testing

@testable import SCIMCore

/// What a reader made of a document: its canonical text, or why not.
enum Verdict: Equatable, CustomStringConvertible {
  case accepts(String)
  case refuses(JSONError.Kind, at: Int)

  var description: String {
    switch self {
    case .accepts(let text): "accepts \(text)"
    case .refuses(let kind, let offset): "refuses \(kind) at \(offset)"
    }
  }
}

/// Whether Foundation's readers take a document: the oracle, asked anew in each run.
enum Oracle: String {
  case bothAccept, bothRefuse, decoderOnly, serializationOnly

  init(_ bytes: [UInt8]) {
    let data = Data(bytes)
    let decoder = (try? JSONDecoder().decode(JSON.self, from: data)) != nil
    let serialization = (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
    switch (decoder, serialization) {
    case (true, true): self = .bothAccept
    case (false, false): self = .bothRefuse
    case (true, false): self = .decoderOnly
    case (false, true): self = .serializationOnly
    }
  }
}

/// One document with our verdict, Foundation's, and, where they differ, the reason.
struct DocumentRow: CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]
  let ours: Verdict
  let foundation: Oracle
  let why: String?

  var testDescription: String { name }

  init(_ name: String, _ text: String, _ ours: Verdict, _ foundation: Oracle, why: String? = nil) {
    self.init(name, bytes: Array(text.utf8), ours, foundation, why: why)
  }

  init(_ name: String, bytes: [UInt8], _ ours: Verdict, _ foundation: Oracle, why: String? = nil) {
    self.name = name
    self.bytes = bytes
    self.ours = ours
    self.foundation = foundation
    self.why = why
  }
}

struct JSONParserTests {
  @Test(
    arguments: JSONCorpus.valid + JSONCorpus.numbers + JSONCorpus.strings + JSONCorpus.structure + JSONCorpus.encodings)
  func document(row: DocumentRow) {
    let ours: Verdict
    do throws(JSONError) {
      ours = .accepts(String(decoding: try JSON(parsing: row.bytes).encoded(), as: UTF8.self))
    } catch {
      ours = .refuses(error.kind, at: error.offset)
    }
    #expect(ours == row.ours)

    #expect(Oracle(row.bytes) == row.foundation)
    let weAccept = if case .accepts = row.ours { true } else { false }
    let agrees = row.foundation == (weAccept ? .bothAccept : .bothRefuse)
    #expect(agrees == (row.why == nil), "a row says why exactly where Foundation differs")
  }

  @Test func allThreeEntrancesAgree() throws {
    let text = Array(#"{"a":[1,2.5,"é\n"]}"#.utf8)
    let expected: JSON = ["a": [1, 2.5, "é\n"]]
    #expect(try JSON(parsing: text) == expected)
    #expect(try JSON(parsing: Data(text)) == expected)
    // A slice of Data does not begin at index 0.
    #expect(try JSON(parsing: (Data([1, 2, 3]) + Data(text)).dropFirst(3)) == expected)
    let viaPointer = text.withUnsafeBytes { bytes in Result { try JSON(parsing: bytes) } }
    #expect(try viaPointer.get() == expected)
    #expect(throws: JSONError(.empty, at: 0)) { try JSON(parsing: UnsafeRawBufferPointer(start: nil, count: 0)) }
  }

  @Test(arguments: [0, 1, 2, 32, 512]) func depthIsLimited(depth: Int) throws {
    let limits = JSONLimits(depth: depth)
    func nested(_ depth: Int, _ open: String, _ close: String) -> [UInt8] {
      Array((String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)).utf8)
    }
    _ = try JSON(parsing: nested(depth, "[", "]"), limits: limits)
    _ = try JSON(parsing: nested(depth, #"{"a":"#, "}"), limits: limits)
    #expect(throws: JSONError(.tooDeep, at: depth)) { try JSON(parsing: nested(depth + 1, "[", "]"), limits: limits) }
    #expect(throws: JSONError(.tooDeep, at: depth * 5)) {
      try JSON(parsing: nested(depth + 1, #"{"a":"#, "}"), limits: limits)
    }
  }

  @Test func limitsAreClamped() {
    #expect(JSONLimits.standard.depth == 32)
    #expect(JSONLimits(depth: -1).depth == 0)
    #expect(JSONLimits(depth: .max).depth == 512)
    var limits = JSONLimits()
    limits.depth = 100_000
    #expect(limits.depth == 512)
  }

  @Test(arguments: ["[", #"{"a":"#, "[[],"]) func aMillionOpenBracketsAreRefused(open: String) {
    let bytes = Array(String(repeating: open, count: 1_000_000).utf8)
    #expect { try JSON(parsing: bytes) } throws: { ($0 as? JSONError)?.kind == .tooDeep }
  }

  @Test func hugeArray() throws {
    let text = "[" + (0..<200_000).map(String.init).joined(separator: ",") + "]"
    let json = try JSON(parsing: Array(text.utf8))
    #expect(json.arrayValue?.count == 200_000)
    #expect(String(decoding: json.encoded(), as: UTF8.self) == text)
  }

  /// The names change from a walk to a hash set on the way; both must find each repeated name.
  @Test(arguments: [1, 2, 23, 24, 25, 26, 1000, 20_000]) func repeatedNameInObjectOfSize(count: Int) throws {
    let names = (0..<count).map { "Attribute\($0)" }
    func object(_ names: [String]) -> [UInt8] {
      Array(("{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}").utf8)
    }
    #expect(try JSON(parsing: object(names)).objectValue?.members.map(\.key) == names)
    for repeated in [0, count / 2, count - 1] {
      let same = object(names + ["Attribute\(repeated)"])
      let otherCase = object(names + ["aTTRIBUTE\(repeated)"])
      let offset = object(names).count
      #expect(throws: JSONError(.duplicateName, at: offset)) { try JSON(parsing: same) }
      #expect(throws: JSONError(.duplicateName, at: offset)) { try JSON(parsing: otherCase) }
      let exact = JSONLimits(distinctIgnoringCase: false)
      #expect(throws: JSONError(.duplicateName, at: offset)) { try JSON(parsing: same, limits: exact) }
      #expect(try JSON(parsing: otherCase, limits: exact).objectValue?.members.count == count + 1)
    }
  }

  @Test func aNameInAnotherObjectIsNoDuplicate() throws {
    let text = #"{"a":{"b":1,"a":[{"a":1},{"a":2}]},"b":{"A":1}}"#
    #expect(String(decoding: try JSON(parsing: Array(text.utf8)).encoded(), as: UTF8.self) == text)
  }

  /// Every beginning of a document is refused, none is taken for the whole, and no offset is outside.
  @Test func everyTruncationIsRefused() {
    let text = Array(#"{"a":[true,null,-1.5e+3,"x\u00e9\ud83d\ude00é"],"b":{"c":false}}"#.utf8)
    for length in 0..<text.count {
      let bytes = Array(text.prefix(length))
      #expect { try JSON(parsing: bytes) } throws: {
        ((0...length) as ClosedRange).contains(($0 as? JSONError)?.offset ?? -1)
      }
    }
  }

  /// Every byte at every place of a string, in words of eight bytes and beside them.
  @Test func everyByteAtEveryPlaceOfAString() {
    for length in 0..<20 {
      for position in 0..<length {
        for byte in UInt8.min...UInt8.max {
          var content = [UInt8](repeating: UInt8(ascii: "x"), count: length)
          content[position] = byte
          let json = try? JSON(parsing: [UInt8(ascii: "\"")] + content + [UInt8(ascii: "\"")])
          let isPlain = 0x20...0x7F ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
          #expect(json == (isPlain ? .string(String(decoding: content, as: UTF8.self)) : nil))
        }
      }
    }
  }

  @Test func errorSaysWhereAndNeverWhat() {
    let text = Data("{\n  \"secret\": 01\n}".utf8)
    let error = JSONError(.invalidNumber, at: 14)
    #expect(throws: error) { try JSON(parsing: text) }
    #expect(error.description == "a malformed number (byte 14)")
    #expect(error.message(in: text) == "a malformed number (line 2, column 13)")
    #expect(JSONError(.empty, at: 0).message(in: Data()) == "the JSON text is empty (line 1, column 1)")
    let reasons = Set(JSONError.Kind.allCases.map { JSONError($0, at: 0).reason })
    #expect(reasons.count == JSONError.Kind.allCases.count)
  }
}
