import Foundation

extension JSON {
  /// Parses one JSON text (RFC 8259) strictly.
  ///
  /// UTF-8 only. Refused are trailing commas, comments, a byte order mark, lone surrogates, raw control characters,
  /// names given twice in one object, content behind the value, and numbers whose digits would be lost: integers
  /// outside Int64, and numbers that overflow binary64 or vanish in it. A number with fraction or exponent is
  /// otherwise rounded to the nearest double. `-0` is the integer 0.
  public init(parsing data: Data, limits: JSONLimits = .standard) throws(JSONError) {
    // The closures of withUnsafeBytes rethrow untyped; a Result carries the typed error across.
    let result = data.withUnsafeBytes { JSONParser.parse($0, limits: limits) }
    self = try result.get()
  }

  /// Parses one JSON text as `init(parsing:limits:)` over `Data` does.
  public init(parsing bytes: [UInt8], limits: JSONLimits = .standard) throws(JSONError) {
    let result = bytes.withUnsafeBytes { JSONParser.parse($0, limits: limits) }
    self = try result.get()
  }

  /// Parses one JSON text as `init(parsing:limits:)` over `Data` does; the bytes are not kept.
  public init(parsing bytes: UnsafeRawBufferPointer, limits: JSONLimits = .standard) throws(JSONError) {
    self = try JSONParser.parse(bytes, limits: limits).get()
  }
}

/// A recursive descent over the bytes of one text. Strings are in `JSONParser+Strings.swift`, numbers in
/// `JSONParser+Numbers.swift`.
struct JSONParser {
  let bytes: UnsafeRawBufferPointer
  let count: Int
  let limits: JSONLimits
  /// The next byte to read.
  var index = 0
  /// The decoded bytes of the string with escapes that was read last.
  var unescaped: [UInt8] = []
  /// One fingerprint for each name of each open object; the innermost object's are at the end.
  private var fingerprints: [UInt64] = []

  private init(_ bytes: UnsafeRawBufferPointer, limits: JSONLimits) {
    self.bytes = bytes
    self.count = bytes.count
    self.limits = limits
  }

  static func parse(_ bytes: UnsafeRawBufferPointer, limits: JSONLimits) -> Result<JSON, JSONError> {
    do throws(JSONError) {
      var parser = JSONParser(bytes, limits: limits)
      return .success(try parser.document())
    } catch {
      return .failure(error)
    }
  }

  private mutating func document() throws(JSONError) -> JSON {
    try refuseOtherEncodings()
    skipWhitespace()
    guard index < count else { throw JSONError(.empty, at: 0) }
    let result = try value(depth: 0)
    skipWhitespace()
    guard index == count else { throw JSONError(.trailingContent, at: index) }
    return result
  }

  private func refuseOtherEncodings() throws(JSONError) {
    guard count >= 2 else { return }
    switch (bytes[0], bytes[1]) {
    case (0xEF, 0xBB) where count >= 3 && bytes[2] == 0xBF: throw JSONError(.byteOrderMark, at: 0)
    // UTF-16 and UTF-32 with a mark, or without one: a JSON text begins with two ASCII characters, or with one and
    // the end.
    case (0xFE, 0xFF), (0xFF, 0xFE), (0, _), (_, 0): throw JSONError(.notUTF8, at: 0)
    default: break
    }
  }

  mutating func skipWhitespace() {
    while index < count {
      switch bytes[index] {
      case 0x20, 0x09, 0x0A, 0x0D: index += 1
      default: return
      }
    }
  }

  /// Reads a value; the index is at its first byte or at the end.
  private mutating func value(depth: Int) throws(JSONError) -> JSON {
    guard index < count else { throw JSONError(.unexpectedEnd, at: count) }
    switch bytes[index] {
    case UInt8(ascii: "\""):
      return .string(try string())
    case UInt8(ascii: "{"):
      return .object(try object(depth: depth + 1))
    case UInt8(ascii: "["):
      return .array(try array(depth: depth + 1))
    case UInt8(ascii: "t"):
      try word("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try word("false")
      return .bool(false)
    case UInt8(ascii: "n"):
      try word("null")
      return .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return try number()
    case UInt8(ascii: "+"), UInt8(ascii: "."):
      throw JSONError(.invalidNumber, at: index)
    default:
      throw JSONError(.unexpectedByte, at: index)
    }
  }

  private mutating func word(_ word: StaticString) throws(JSONError) {
    for position in 0..<word.utf8CodeUnitCount {
      guard index + position < count else { throw JSONError(.unexpectedEnd, at: count) }
      guard bytes[index + position] == word.utf8Start[position] else {
        throw JSONError(.unexpectedByte, at: index + position)
      }
    }
    index += word.utf8CodeUnitCount
  }

  private mutating func array(depth: Int) throws(JSONError) -> [JSON] {
    guard depth <= limits.depth else { throw JSONError(.tooDeep, at: index) }
    index += 1
    skipWhitespace()
    if take(UInt8(ascii: "]")) { return [] }
    var elements: [JSON] = []
    while true {
      elements.append(try value(depth: depth))
      skipWhitespace()
      if take(UInt8(ascii: ",")) {
        skipWhitespace()
      } else if take(UInt8(ascii: "]")) {
        return elements
      } else {
        throw unexpected()
      }
    }
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONObject {
    guard depth <= limits.depth else { throw JSONError(.tooDeep, at: index) }
    index += 1
    skipWhitespace()
    if take(UInt8(ascii: "}")) { return JSONObject() }
    let outer = fingerprints.count
    var names = JSONNameSet(ignoringCase: limits.distinctIgnoringCase)
    var members: [JSONObject.Member] = []
    members.reserveCapacity(4)
    while true {
      guard index < count, bytes[index] == UInt8(ascii: "\"") else { throw unexpected() }
      let offset = index
      let (key, fingerprint) = try name()
      guard names.isNew(key, fingerprint, among: members, fingerprints, from: outer) else {
        throw JSONError(.duplicateName, at: offset)
      }
      fingerprints.append(fingerprint)
      skipWhitespace()
      guard take(UInt8(ascii: ":")) else { throw unexpected() }
      skipWhitespace()
      members.append(JSONObject.Member(key: key, value: try value(depth: depth)))
      skipWhitespace()
      if take(UInt8(ascii: ",")) {
        skipWhitespace()
      } else if take(UInt8(ascii: "}")) {
        fingerprints.removeLast(fingerprints.count - outer)
        return JSONObject(members)
      } else {
        throw unexpected()
      }
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard index < count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  private func unexpected() -> JSONError {
    index < count ? JSONError(.unexpectedByte, at: index) : JSONError(.unexpectedEnd, at: count)
  }
}
