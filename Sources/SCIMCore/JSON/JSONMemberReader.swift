import Foundation

/// Reads single members of an object without parsing the others.
///
/// The text must be one JSON object that was parsed before, such as a stored document: values that are not asked for
/// are skipped unread. Blanks between tokens are taken.
public struct JSONMemberReader {
  private let bytes: UnsafeRawBufferPointer
  private var index = 0

  /// The members of the object that have one of these names, in its order; those it lacks are left out.
  ///
  /// - Throws: `JSONError` where a value that was asked for is broken, or the text is no object.
  public static func members(
    _ names: [String], of object: UnsafeRawBufferPointer
  ) throws(JSONError) -> JSONObject {
    var reader = JSONMemberReader(bytes: object)
    return try reader.members(names)
  }

  /// Where the value of a member stands in the text, which may go on behind the object; nil where there is none.
  ///
  /// - Throws: `JSONError` where the text is no object as far as it is looked at.
  public static func range(of name: String, in object: UnsafeRawBufferPointer) throws(JSONError) -> Range<Int>? {
    var reader = JSONMemberReader(bytes: object)
    guard try reader.enter(name) else { return nil }
    let start = reader.index
    try reader.skipValue()
    return start..<reader.index
  }

  private init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Goes to the value of a member of the object that begins here; false where it has none of that name.
  private mutating func enter(_ name: String) throws(JSONError) -> Bool {
    try expect(UInt8(ascii: "{"))
    skipBlanks()
    if next == UInt8(ascii: "}") { return false }
    while true {
      skipBlanks()
      let start = index
      try skipString()
      let quoted = UnsafeRawBufferPointer(rebasing: bytes[start..<index])
      try expect(UInt8(ascii: ":"))
      skipBlanks()
      if try isName(quoted, name) { return true }
      try skipValue()
      skipBlanks()
      if next == UInt8(ascii: "}") { return false }
      try expect(UInt8(ascii: ","))
    }
  }

  private mutating func members(_ names: [String]) throws(JSONError) -> JSONObject {
    var found = JSONObject()
    try expect(UInt8(ascii: "{"))
    skipBlanks()
    if next == UInt8(ascii: "}") { return found }
    while found.members.count < names.count {
      skipBlanks()
      let start = index
      try skipString()
      let quoted = UnsafeRawBufferPointer(rebasing: bytes[start..<index])
      try expect(UInt8(ascii: ":"))
      skipBlanks()
      let value = index
      try skipValue()
      if let name = try name(quoted, among: names) {
        let raw = UnsafeRawBufferPointer(rebasing: bytes[value..<index])
        found.members.append(JSONObject.Member(key: name, value: try JSON(parsing: raw)))
      }
      skipBlanks()
      if next == UInt8(ascii: "}") { break }
      try expect(UInt8(ascii: ","))
    }
    return found
  }

  /// The name that stands in quotes, where it is one of these.
  private func name(_ quoted: UnsafeRawBufferPointer, among names: [String]) throws(JSONError) -> String? {
    for name in names where try isName(quoted, name) { return name }
    return nil
  }

  /// True where that name stands in quotes.
  private func isName(_ quoted: UnsafeRawBufferPointer, _ name: String) throws(JSONError) -> Bool {
    let count = quoted.count - 2
    guard count > 0, let base = quoted.baseAddress else { return name.isEmpty && count == 0 }
    if memchr(base, Int32(UInt8(ascii: "\\")), quoted.count) != nil {
      guard let written = try JSON(parsing: quoted).stringValue else { return false }
      return ASCII.equal(written, name)
    }
    var name = name
    return name.withUTF8 { name in
      guard name.count == count, let sought = name.baseAddress else { return false }
      return memcmp(base + 1, sought, count) == 0
    }
  }

  // MARK: Skipping

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { index += 1 }
  }

  private mutating func expect(_ byte: UInt8) throws(JSONError) {
    skipBlanks()
    guard next == byte else { throw JSONError(.unexpectedByte, at: index) }
    index += 1
  }

  private mutating func skipString() throws(JSONError) {
    guard next == UInt8(ascii: "\"") else { throw JSONError(.unexpectedByte, at: index) }
    index += 1
    while let byte = next {
      index += 1
      if byte == UInt8(ascii: "\"") { return }
      if byte == UInt8(ascii: "\\") { index += 1 }
    }
    throw JSONError(.unexpectedEnd, at: bytes.count)
  }

  private mutating func skipValue() throws(JSONError) {
    var depth = 0
    repeat {
      switch next {
      case UInt8(ascii: "\"")?: try skipString()
      case UInt8(ascii: "{")?, UInt8(ascii: "[")?:
        depth += 1
        index += 1
      case UInt8(ascii: "}")?, UInt8(ascii: "]")?:
        depth -= 1
        index += 1
      case nil: throw JSONError(.unexpectedEnd, at: bytes.count)
      // Separators inside of containers; a number or a word ends where its letters do.
      default: skipWord()
      }
    } while depth > 0
  }

  private mutating func skipWord() {
    index += 1
    while let byte = next {
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "\""), UInt8(ascii: "{"),
        UInt8(ascii: "["), 0x20, 0x09, 0x0A, 0x0D:
        return
      default: index += 1
      }
    }
  }
}
