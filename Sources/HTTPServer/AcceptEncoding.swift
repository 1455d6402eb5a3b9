/// Whether a client wants gzip, as its Accept-Encoding says (RFC 9110 section 12.5.3).
enum AcceptEncoding {
  /// True where gzip is acceptable and not less wanted than the plain content; a malformed element counts for nothing.
  static func prefersGzip(_ field: String) -> Bool {
    var gzip: Int?
    var any: Int?
    var identity: Int?
    for element in field.utf8.split(separator: UInt8(ascii: ",")) {
      let parts = element.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      guard let name = parts.first.map(word), let weight = weight(parts.dropFirst()) else { continue }
      switch name {
      case "gzip", "x-gzip": gzip = weight
      case "*": any = weight
      case "identity": identity = weight
      default: break
      }
    }
    guard let wanted = gzip ?? any, wanted > 0 else { return false }
    return wanted >= (identity ?? 0)
  }

  private static func word(_ bytes: Substring.UTF8View) -> String {
    var bytes = bytes
    while let first = bytes.first, Characters.isBlank(first) { bytes.removeFirst() }
    while let last = bytes.last, Characters.isBlank(last) { bytes.removeLast() }
    return Substring(bytes).lowercased()
  }

  /// The weight in thousandths that a `q` parameter gives, 1000 without one; nil where it is malformed.
  private static func weight(_ parameters: ArraySlice<Substring.UTF8View>) -> Int? {
    var weight = 1000
    for parameter in parameters {
      let text = word(parameter)
      guard text.hasPrefix("q=") else { continue }
      let digits = Array(text.utf8.dropFirst(2))
      guard let whole = digits.first, whole == 0x30 || whole == 0x31, digits.count <= 5 else { return nil }
      weight = Int(whole &- 0x30) * 1000
      if digits.count > 1 {
        guard digits[1] == UInt8(ascii: ".") else { return nil }
        var place = 100
        for digit in digits[2...] {
          guard Characters.isDigit(digit) else { return nil }
          weight += Int(digit &- 0x30) * place
          place /= 10
        }
      }
      guard weight <= 1000 else { return nil }
    }
    return weight
  }
}
