import Foundation

/// A reference as it stands in a stored document.
struct StoredReference {
  enum Value {
    /// An id and nothing else, as is usual.
    case id(String)
    case object(JSONObject)

    var id: String? {
      switch self {
      case .id(let id): id
      case .object(let object): object["value"]?.stringValue
      }
    }
  }

  let range: Range<Int>
  let value: Value

  /// Nil where the document does not have the reference.
  static func find(
    _ reference: ReferenceAttribute, in document: [UInt8], _ outline: DocumentOutline
  ) -> StoredReference? {
    let name = reference.definition.name
    // No attribute has the name of an extension, so what is found is the extension itself.
    guard let colon = outline.colon(behind: reference.extensionURN ?? name) else { return nil }
    let start = reference.extensionURN == nil ? 0 : colon + 1
    return document.withUnsafeBytes { document in
      let object = UnsafeRawBufferPointer(rebasing: document[start...])
      var walk = MemberWalk(object)
      if let place = walk.find(name) {
        if let id = walk.plainID(at: place) {
          return StoredReference(range: start + place..<start + walk.index, value: .id(id))
        }
      } else if walk.isAtEnd {
        return nil
      }
      // What is seldom is read as JSON.
      guard let range = try? JSONMemberReader.range(of: name, in: object),
        case .object(let value)? = try? JSON(parsing: UnsafeRawBufferPointer(rebasing: object[range]))
      else { return nil }
      return StoredReference(range: start + range.lowerBound..<start + range.upperBound, value: .object(value))
    }
  }
}

/// Goes through the members of an object in a stored document: one without blanks, whose names have no escapes. It stops
/// at what it does not know.
private struct MemberWalk {
  private let bytes: UnsafeRawBufferPointer
  private(set) var index = 0
  /// True once the object has ended.
  private(set) var isAtEnd = false

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Goes to the value of a member; nil where the object has none, or something stands in front of it that is neither a
  /// plain text, a number nor a word.
  mutating func find(_ name: String) -> Int? {
    guard take(UInt8(ascii: "{")) else { return nil }
    if take(UInt8(ascii: "}")) {
      isAtEnd = true
      return nil
    }
    var name = name
    return name.withUTF8 { name in
      repeat {
        guard let text = takeString(), take(UInt8(ascii: ":")) else { return nil }
        if text.count == name.count, let written = text.baseAddress, let sought = name.baseAddress,
          memcmp(written, sought, name.count) == 0
        {
          return index
        }
        guard skipPlainValue() else { return nil }
      } while take(UInt8(ascii: ","))
      isAtEnd = take(UInt8(ascii: "}"))
      return nil
    }
  }

  /// The id in `{"value":"…"}` at that place, and goes behind it; nil where there is more, or the id has escapes.
  mutating func plainID(at place: Int) -> String? {
    let head: StaticString = "{\"value\":"
    guard bytes.count - place > head.utf8CodeUnitCount, let base = bytes.baseAddress,
      memcmp(base + place, head.utf8Start, head.utf8CodeUnitCount) == 0
    else { return nil }
    index = place + head.utf8CodeUnitCount
    guard let id = takeString(), !id.isEmpty, take(UInt8(ascii: "}")) else { return nil }
    return String(decoding: id, as: UTF8.self)
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  /// The text of a string without escapes.
  private mutating func takeString() -> UnsafeRawBufferPointer? {
    guard take(UInt8(ascii: "\"")), let base = bytes.baseAddress,
      let end = memchr(base + index, Int32(UInt8(ascii: "\"")), bytes.count - index)
    else { return nil }
    let text = UnsafeRawBufferPointer(start: base + index, count: UnsafeRawPointer(end) - base - index)
    guard memchr(base + index, Int32(UInt8(ascii: "\\")), text.count) == nil else { return nil }
    index += text.count + 1
    return text
  }

  private mutating func skipPlainValue() -> Bool {
    guard index < bytes.count else { return false }
    switch bytes[index] {
    case UInt8(ascii: "\""): return takeString() != nil
    case UInt8(ascii: "{"), UInt8(ascii: "["): return false
    default:
      while index < bytes.count, bytes[index] != UInt8(ascii: ","), bytes[index] != UInt8(ascii: "}") { index += 1 }
      return true
    }
  }
}
