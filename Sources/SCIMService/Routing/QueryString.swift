import SCIMCore

/// The parameters of a query string, decoded once; names are compared without regard to letter case.
struct QueryString {
  private var pairs: [(name: String, value: String)] = []

  /// Reads `a=1&b=2`. A parameter without an equals sign is there with an empty value.
  ///
  /// - Throws: `invalidValue` where a percent triplet is broken or the text is no UTF-8.
  init(_ query: String?) throws(SCIMError) {
    guard let query, !query.isEmpty else { return }
    for piece in query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: true) {
      let parts = piece.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false).map(
        Substring.init)
      guard let name = PercentEncoding.decode(parts[0], plusIsBlank: true) else {
        throw SCIMError(.invalidValue, "The query string holds a broken percent-encoding.")
      }
      let encoded = parts.count > 1 ? parts[1] : ""
      guard let value = PercentEncoding.decode(encoded, plusIsBlank: true) else {
        throw SCIMError(.invalidValue, "The query string holds a broken percent-encoding.")
      }
      pairs.append((name, value))
    }
  }

  var isEmpty: Bool { pairs.isEmpty }

  /// The value of the first parameter of that name; nil where it is absent, which differs from empty.
  subscript(_ name: String) -> String? {
    for pair in pairs where ASCII.equalIgnoringCase(pair.name, name) { return pair.value }
    return nil
  }
}
