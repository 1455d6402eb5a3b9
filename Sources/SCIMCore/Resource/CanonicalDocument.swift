import Foundation

/// What can be told of a stored document without reading it as JSON.
///
/// Inside a string the quotes would be escaped, so text is never taken for a member. Names must need no escapes.
enum CanonicalDocument {
  /// True where there is a member of that name, perhaps further in.
  static func hasMember(_ name: String, in document: UnsafeRawBufferPointer) -> Bool {
    var name = name
    return name.withUTF8 { name in
      guard let base = document.baseAddress else { return false }
      // From colon to colon, which are fewer than quotes.
      var at = 0
      while let found = memchr(base + at, Int32(UInt8(ascii: ":")), document.count - at) {
        at = UnsafeRawPointer(found) - base
        if isName(name, inFrontOf: at, of: base) { return true }
        at += 1
      }
      return false
    }
  }

  /// Where the colon behind the last member of that name stands, perhaps further in; nil where there is none. Extensions
  /// stand at the end.
  static func lastColon(behind name: String, in document: UnsafeRawBufferPointer) -> Int? {
    var name = name
    return name.withUTF8 { name in
      guard let base = document.baseAddress else { return nil }
      var end = document.count
      while end > 0 {
        end -= 1
        if document[end] == UInt8(ascii: ":"), isName(name, inFrontOf: end, of: base) { return end }
      }
      return nil
    }
  }

  /// True where the name stands in quotes in front of the colon.
  private static func isName(
    _ name: UnsafeBufferPointer<UInt8>, inFrontOf colon: Int, of base: UnsafeRawPointer
  ) -> Bool {
    let start = colon - 1 - name.count
    guard start > 0, base.load(fromByteOffset: colon - 1, as: UInt8.self) == UInt8(ascii: "\""),
      base.load(fromByteOffset: start - 1, as: UInt8.self) == UInt8(ascii: "\""), let sought = name.baseAddress
    else { return false }
    return memcmp(base + start, sought, name.count) == 0
  }
}
