import Foundation

extension JSON {
  /// Appends the canonical compact form: members in their order, no white space, and only what must be escaped is
  /// (quote, backslash, characters below U+0020).
  ///
  /// Doubles are written in their shortest form that reads back the same and always with a point or an exponent, so
  /// that 1.0 does not become an integer. A double that is not finite has no form in JSON and becomes null.
  public func write(into output: inout [UInt8]) {
    switch self {
    case .null: JSON.append("null", to: &output)
    case .bool(let value): JSON.append(value ? "true" : "false", to: &output)
    case .integer(let value): JSON.appendInteger(value, to: &output)
    case .double(let value): JSON.appendDouble(value, to: &output)
    case .string(let value): JSON.appendString(value, to: &output)
    case .array(let elements):
      output.append(UInt8(ascii: "["))
      var isFirst = true
      for element in elements {
        if isFirst { isFirst = false } else { output.append(UInt8(ascii: ",")) }
        element.write(into: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let object):
      object.write(into: &output)
    }
  }

  /// The canonical compact form as bytes.
  public func encoded() -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(1024)
    write(into: &output)
    return output
  }

  /// The canonical compact form as `Data`.
  public func data() -> Data { Data(encoded()) }

  /// Appends the text as a JSON string, quotes included.
  public static func appendString(_ text: String, to output: inout [UInt8]) {
    if text.utf8.withContiguousStorageIfAvailable({ appendString($0, to: &output) }) == nil {
      Array(text.utf8).withUnsafeBufferPointer { appendString($0, to: &output) }
    }
  }

  static func appendString(_ text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    var runStart = 0
    var index = nextEscape(in: text, from: 0)
    while index < text.count {
      output.append(contentsOf: UnsafeBufferPointer(rebasing: text[runStart..<index]))
      appendEscape(text[index], to: &output)
      runStart = index + 1
      index = nextEscape(in: text, from: runStart)
    }
    output.append(contentsOf: UnsafeBufferPointer(rebasing: text[runStart...]))
    output.append(UInt8(ascii: "\""))
  }

  /// The index of the next byte that must be escaped, or the end.
  private static func nextEscape(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    while index < text.count {
      let byte = text[index]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
      index += 1
    }
    return index
  }

  private static func appendEscape(_ byte: UInt8, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
    case 0x08: output.append(UInt8(ascii: "b"))
    case 0x09: output.append(UInt8(ascii: "t"))
    case 0x0A: output.append(UInt8(ascii: "n"))
    case 0x0C: output.append(UInt8(ascii: "f"))
    case 0x0D: output.append(UInt8(ascii: "r"))
    default:
      append(byte < 0x10 ? "u000" : "u001", to: &output)
      output.append(byte & 15 < 10 ? UInt8(ascii: "0") + (byte & 15) : UInt8(ascii: "a") + (byte & 15) - 10)
    }
  }

  static func append(_ word: StaticString, to output: inout [UInt8]) {
    output.append(contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  static func appendInteger(_ value: Int64, to output: inout [UInt8]) {
    if value < 0 { output.append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    let start = output.count
    repeat {
      output.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    output[start...].reverse()
  }

  static func appendDouble(_ value: Double, to output: inout [UInt8]) {
    guard value.isFinite else { return append("null", to: &output) }
    // Swift's description is the shortest text that reads back the same, and has a point or an exponent.
    output.append(contentsOf: value.description.utf8)
  }
}

extension JSONObject {
  /// Appends the canonical compact form, as `JSON.write(into:)` does.
  public func write(into output: inout [UInt8]) {
    output.append(UInt8(ascii: "{"))
    var isFirst = true
    for member in members {
      if isFirst { isFirst = false } else { output.append(UInt8(ascii: ",")) }
      JSON.appendString(member.key, to: &output)
      output.append(UInt8(ascii: ":"))
      member.value.write(into: &output)
    }
    output.append(UInt8(ascii: "}"))
  }
}
