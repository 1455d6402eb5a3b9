import Foundation
import TestSupport
import Testing

@testable import SCIMCore

struct JSONRandomTests {
  /// Documents out of one seed: written and read by us and by Foundation, in both directions.
  @Test(arguments: 1...20) func roundTrip(seed: UInt64) throws {
    var random = RandomJSON(seed: seed)
    for _ in 0..<25 {
      let value = random.value(depth: 5)
      let bytes = value.encoded()
      #expect(try JSON(parsing: bytes) == value)
      #expect(try JSON(parsing: Array(value.pretty().utf8)) == value)

      let theirs = try JSONDecoder().decode(JSON.self, from: Data(bytes))
      #expect(normalized(theirs) == normalized(value))
      let object = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
      let again = try JSONSerialization.data(withJSONObject: object, options: [.fragmentsAllowed])
      #expect(normalized(try JSON(parsing: again)) == normalized(value))
      let encoded = try JSONEncoder().encode(value)
      #expect(normalized(try JSON(parsing: encoded)) == normalized(value))
    }
  }

  /// Damaged documents: the parser refuses or takes them, and what it takes Foundation reads the same.
  @Test(arguments: 1...40) func damagedDocuments(seed: UInt64) throws {
    var random = RandomJSON(seed: seed &+ 1000)
    var accepted = 0
    for _ in 0..<100 {
      var bytes = random.value(depth: 4).encoded()
      for _ in 0..<Int.random(in: 1...3, using: &random.generator) where !bytes.isEmpty {
        let index = Int.random(in: 0..<bytes.count, using: &random.generator)
        switch Int.random(in: 0..<3, using: &random.generator) {
        case 0: bytes.remove(at: index)
        case 1: bytes.insert(random.byte(), at: index)
        default: bytes[index] = random.byte()
        }
      }
      guard let value = try? JSON(parsing: bytes) else { continue }
      accepted += 1
      let theirs = try JSONDecoder().decode(JSON.self, from: Data(bytes))
      #expect(normalized(theirs) == normalized(value))
    }
    #expect(accepted > 0)
  }

  @Test func doublesReadBackAsTheSameBits() throws {
    var generator = Random(seed: 7)
    for _ in 0..<20_000 {
      let value = Double(bitPattern: generator.next())
      guard value.isFinite else { continue }
      guard case .double(let back) = try JSON(parsing: JSON.double(value).encoded()) else {
        Issue.record("a double came back as something else")
        continue
      }
      #expect(back.bitPattern == value.bitPattern)
    }
  }

  /// Decimal texts of every length and size agree with the C library's correctly rounded reading, or are refused where
  /// that says other digits.
  @Test func decimalTextsAreRoundedCorrectly() throws {
    var generator = Random(seed: 8)
    for _ in 0..<20_000 {
      let digits = (0..<Int.random(in: 1...25, using: &generator)).map { _ in
        String(Int.random(in: 0...9, using: &generator))
      }
      let text =
        "\(Int.random(in: 1...9, using: &generator)).\(digits.joined())e\(Int.random(in: -40...40, using: &generator))"
      let value = strtod(text, nil)
      let mantissa = text.prefix { $0 != "e" }.filter { $0 != "." }
      let significant = mantissa.reversed().drop { $0 == "0" }.count
      let written = String(format: "%.*e", significant - 1, value).prefix { $0 != "e" }.filter { $0 != "." }
      if significant <= 17, mantissa.hasPrefix(written) {
        #expect(try JSON(parsing: Array(text.utf8)) == .double(value), "\(text)")
      } else {
        #expect(throws: JSONError.self, "\(text)") { try JSON(parsing: Array(text.utf8)) }
      }
    }
  }

  /// Foundation keeps no order, makes integers of integral doubles, and writes doubles as integers.
  private func normalized(_ value: JSON) -> JSON {
    switch value {
    case .double(let double):
      if let integer = Int64(exactly: double) { return .integer(integer) }
      return .double(double)
    case .array(let elements): return .array(elements.map(normalized))
    case .object(let object):
      return .object(
        JSONObject(
          object.members.map { .init(key: $0.key, value: normalized($0.value)) }
            .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }))
    default: return value
    }
  }
}

/// Random values within what Foundation can carry: names distinct also canonically, doubles of few digits.
struct RandomJSON {
  var generator: Random

  init(seed: UInt64) { generator = Random(seed: seed) }

  mutating func value(depth: Int) -> JSON {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &generator) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &generator))
    case 2: return .integer(Int64(truncatingIfNeeded: generator.next() >> UInt64.random(in: 0..<64, using: &generator)))
    case 3: return .double(Double(Int.random(in: -1_000_000...1_000_000, using: &generator)) / 64)
    case 4, 5: return .string(text())
    case 6:
      let count = Int.random(in: 0..<6, using: &generator)
      return .array((0..<count).map { _ in value(depth: depth - 1) })
    default:
      let count = Int.random(in: 0..<30, using: &generator)
      return .object(
        JSONObject((0..<count).map { .init(key: "\(text())\($0)", value: value(depth: depth > 3 ? depth - 2 : 0)) }))
    }
  }

  mutating func text() -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0..<24, using: &generator) {
      let range: ClosedRange<UInt32> =
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: 0...0x1F
        case 1: 0xA0...0x24F
        case 2: 0x4E00...0x9FFF
        case 3: 0x1F300...0x1F5FF
        default: 0x20...0x7E
        }
      if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) { text.unicodeScalars.append(scalar) }
    }
    return text
  }

  mutating func byte() -> UInt8 {
    let likely = Array(#"{}[]",:\0123456789.eE+-tfnu "#.utf8)
    return Bool.random(using: &generator)
      ? likely[Int.random(in: 0..<likely.count, using: &generator)] : UInt8.random(in: 0...255, using: &generator)
  }
}
