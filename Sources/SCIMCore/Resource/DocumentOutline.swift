import Foundation

/// Where members of some names stand in a stored document, found without reading it as JSON.
///
/// Inside a string the quotes would be escaped, so text is never taken for a member; a member of that name may stand
/// further in.
public struct DocumentOutline {
  /// The colons behind the last member of each name; 0 where there is none.
  private var colons: InlineArray<8, Int> = .init(repeating: 0)
  private let names: OutlineNames

  /// Looks through a document once, from colon to colon, which are fewer than quotes.
  init(_ document: [UInt8], _ names: OutlineNames) {
    self.names = names
    guard !names.isEmpty else { return }
    document.withUnsafeBytes { document in
      guard let base = document.baseAddress else { return }
      var at = 1
      while at < document.count, let found = memchr(base + at, Int32(UInt8(ascii: ":")), document.count - at) {
        at = UnsafeRawPointer(found) - base
        if let index = names.index(inFrontOf: at, of: base) { colons[index] = at }
        at += 1
      }
    }
  }

  /// False where the document has no member of that name.
  func mayHave(_ name: String) -> Bool {
    guard let index = names.index(of: name) else { return true }
    return colons[index] != 0
  }

  /// The colon behind the last member of that name; nil where there is none.
  func colon(behind name: String) -> Int? {
    guard let index = names.index(of: name), colons[index] != 0 else { return nil }
    return colons[index]
  }
}

/// The names that a `DocumentOutline` looks for; at most `maximum`, and none that needs escapes.
struct OutlineNames: Sendable {
  static let maximum = 8

  private let names: [String]
  /// For each byte which names end with it, as bits.
  private let endings: [UInt8]

  /// What is beyond the maximum is left out: it may be in any document.
  init(_ names: [String]) {
    var kept: [String] = []
    for name in names where !name.isEmpty && !kept.contains(name) && kept.count < Self.maximum {
      var name = name
      name.makeContiguousUTF8()
      kept.append(name)
    }
    self.names = kept
    var endings = [UInt8](repeating: 0, count: 256)
    for (index, name) in kept.enumerated() {
      if let last = name.utf8.last { endings[Int(last)] |= 1 << UInt8(index) }
    }
    self.endings = endings
  }

  var isEmpty: Bool { names.isEmpty }

  func index(of name: String) -> Int? { names.firstIndex(of: name) }

  /// The name that stands in quotes in front of a colon; the text must begin with another byte.
  @inline(__always)
  func index(inFrontOf colon: Int, of base: UnsafeRawPointer) -> Int? {
    guard colon > 2, base.load(fromByteOffset: colon - 1, as: UInt8.self) == UInt8(ascii: "\"") else { return nil }
    var candidates = endings[Int(base.load(fromByteOffset: colon - 2, as: UInt8.self))]
    while candidates != 0 {
      let index = candidates.trailingZeroBitCount
      candidates &= candidates - 1
      let isThere =
        names[index].utf8.withContiguousStorageIfAvailable { name in
          let start = colon - 1 - name.count
          guard start > 0, base.load(fromByteOffset: start - 1, as: UInt8.self) == UInt8(ascii: "\""),
            let sought = name.baseAddress
          else { return false }
          return memcmp(base + start, sought, name.count) == 0
        } ?? false
      if isThere { return index }
    }
    return nil
  }
}
