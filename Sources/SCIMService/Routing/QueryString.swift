import SCIMCore

/// The parameters of a query string, decoded once; names are compared without regard to letter case.
struct QueryString {
  private var pairs: [(name: String, value: String)] = []

  /// Reads `a=1&b=2`. A parameter without an equals sign is there with an empty value.
  ///
  /// - Throws: `invalidValue` where a percent triplet is broken or the text is no UTF-8.
  init(_ query: String?) throws(SCIMError) {
    guard var query, !query.isEmpty else { return }
    let isRead = query.withUTF8 { bytes in
      var start = 0
      while start < bytes.count {
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "&") { end += 1 }
        guard end == start || append(UnsafeBufferPointer(rebasing: bytes[start..<end])) else { return false }
        start = end + 1
      }
      return true
    }
    guard isRead else { throw SCIMError(.invalidValue, "The query string has an invalid percent-encoding.") }
  }

  private mutating func append(_ piece: UnsafeBufferPointer<UInt8>) -> Bool {
    let equals = piece.firstIndex(of: UInt8(ascii: "="))
    let encodedName = UnsafeBufferPointer(rebasing: piece[..<(equals ?? piece.endIndex)])
    let encodedValue = UnsafeBufferPointer(rebasing: piece[(equals.map { $0 + 1 } ?? piece.endIndex)...])
    guard let name = PercentEncoding.decode(encodedName, plusIsBlank: true),
      let value = PercentEncoding.decode(encodedValue, plusIsBlank: true)
    else { return false }
    pairs.append((name, value))
    return true
  }

  var isEmpty: Bool { pairs.isEmpty }

  /// The values of all parameters of that name, in their order.
  func all(_ name: String) -> [String] {
    pairs.filter { ASCII.equalIgnoringCase($0.name, name) }.map(\.value)
  }

  /// The value of the parameter of that name; nil where it is absent, which differs from empty.
  ///
  /// - Throws: `invalidValue` where it is given more than once: which of them is meant cannot be told.
  func one(_ name: String) throws(SCIMError) -> String? {
    guard let first = self[name] else { return nil }
    guard pairs.count == 1 || all(name).count == 1 else {
      throw SCIMError(.invalidValue, "'\(name)' is given more than once.")
    }
    return first
  }

  /// The value of the first parameter of that name; nil where it is absent, which differs from empty.
  subscript(_ name: String) -> String? {
    for index in pairs.indices where pairs[index].name.utf8.count == name.utf8.count {
      if ASCII.equalIgnoringCase(pairs[index].name, name) { return pairs[index].value }
    }
    return nil
  }
}
