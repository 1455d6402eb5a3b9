import SCIMCore

/// Finds the byte at which a value stands in a JSON text that is known to be valid.
///
/// A parsed value does not know where it came from. Only a file that is refused needs to, so the text is walked once
/// more then, and nothing is kept until then.
struct SeedLocator {
  private let bytes: [UInt8]
  private var index = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The offset of the value at the path, or of its name where it is a member; of the nearest value around it where it
  /// is not there.
  static func offset(of path: SeedPath, in bytes: [UInt8]) -> Int {
    var locator = SeedLocator(bytes)
    locator.skipBlanks()
    var found = locator.index
    for step in path.steps {
      let isFound =
        switch step {
        case .member(let name): locator.enterMember(name, at: &found)
        case .element(let number): locator.enterElement(number, at: &found)
        }
      guard isFound else { break }
    }
    return found
  }

  private var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }

  private mutating func advance(_ count: Int = 1) { index = min(index + count, bytes.count) }

  private mutating func skipBlanks() {
    while [0x20, 0x09, 0x0A, 0x0D].contains(byte) { advance() }
  }

  private mutating func enterMember(_ name: String, at found: inout Int) -> Bool {
    guard byte == UInt8(ascii: "{") else { return false }
    advance()
    skipBlanks()
    while byte == UInt8(ascii: "\"") {
      let start = index
      skipString()
      let key = try? JSON(parsing: Array(bytes[start..<index])).stringValue
      skipBlanks()
      advance()  // over the colon
      skipBlanks()
      if let key, key.utf8.elementsEqual(name.utf8) {
        found = start
        return true
      }
      skipValue()
      skipSeparator()
    }
    return false
  }

  private mutating func enterElement(_ number: Int, at found: inout Int) -> Bool {
    guard byte == UInt8(ascii: "[") else { return false }
    advance()
    skipBlanks()
    for _ in 0..<number {
      if byte == UInt8(ascii: "]") || index >= bytes.count { return false }
      skipValue()
      skipSeparator()
    }
    guard byte != UInt8(ascii: "]"), index < bytes.count else { return false }
    found = index
    return true
  }

  private mutating func skipSeparator() {
    skipBlanks()
    if byte == UInt8(ascii: ",") { advance() }
    skipBlanks()
  }

  private mutating func skipString() {
    advance()
    while index < bytes.count, byte != UInt8(ascii: "\"") { advance(byte == UInt8(ascii: "\\") ? 2 : 1) }
    advance()
  }

  private mutating func skipValue() {
    var depth = 0
    repeat {
      switch byte {
      case UInt8(ascii: "\""): skipString()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        advance()
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        advance()
      default:
        // A number, true, false, null, or what stands between values.
        advance()
        if depth == 0 {
          while index < bytes.count, !",]} \t\r\n".utf8.contains(byte) { advance() }
        }
      }
    } while depth > 0 && index < bytes.count
  }
}
