/// Case-insensitive comparison of text: two texts are the same when their folded forms are equal byte by byte.
public enum Folding {
  /// The form in which case and composition do not count: NFC, Unicode simple case folding, NFC again.
  ///
  /// Simple folding keeps the number of characters: "ß" stays (and so does not equal "ss"), "İ" and "ı" stay apart from
  /// "i", "ς" becomes "σ". Folding a folded text changes nothing. ASCII text without capitals is returned as it is,
  /// without a copy.
  ///
  ///     Folding.fold("STRAẞE") == "straße"
  public static func fold(_ text: String) -> String {
    switch ASCIICase(text) {
    case .folded: return text
    case .hasCapitals: return ASCII.lowercase(text)
    case .notASCII: break
    }
    var folded = String.UnicodeScalarView()
    folded.reserveCapacity(text.utf8.count)
    for scalar in normalize(text).unicodeScalars { folded.append(fold(scalar)) }
    return normalize(String(folded))
  }

  /// Makes the tables of composition, which else the first text needs that is not plain Latin, Greek, Cyrillic, Hebrew,
  /// Arabic or CJK: some 35 ms, once in a process. From any thread.
  public static func prepare() { Normalization.prepare() }

  /// The NFC form of the text, for comparison with case.
  public static func normalize(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) || text.unicodeScalars.allSatisfy(Normalization.isInert) { return text }
    return Normalization.compose(text)
  }

  /// The simple case folding of one character, computed from the case mappings of the standard library.
  static func fold(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x41...0x5A: return Unicode.Scalar(scalar.value + 0x20) ?? scalar
    case 0..<0x80: return scalar
    // Cherokee folds to its capitals, which came first and are stable; all else folds to small letters.
    case 0x13A0...0x13F5: return scalar
    case 0x13F8...0x13FD: return Unicode.Scalar(scalar.value - 8) ?? scalar
    case 0xAB70...0xABBF: return Unicode.Scalar(scalar.value - 0xAB70 + 0x13A0) ?? scalar
    // Kana, Chinese characters and Hangul syllables have no case; asking the standard library takes longer.
    case 0x3041...0x30FA, 0x4E00...0x9FFF, 0xAC00...0xD7A3: return scalar
    // The two ligatures "st" differ in no case mapping of one character, but fold to one.
    case 0xFB05: return "\u{FB06}"
    default: break
    }
    guard scalar.properties.changesWhenCaseFolded else { return scalar }
    // By way of the capital, so that the variants of one letter meet: ς and σ, ſ and s, the Kelvin sign and k.
    let upper = single(scalar.properties.uppercaseMapping) ?? scalar
    return single(upper.properties.lowercaseMapping) ?? scalar
  }

  /// The only scalar of a mapping; nil where the mapping is longer, which is not simple.
  private static func single(_ mapping: String) -> Unicode.Scalar? {
    let scalars = mapping.unicodeScalars
    guard let first = scalars.first, scalars.index(after: scalars.startIndex) == scalars.endIndex else { return nil }
    return first
  }

  private enum ASCIICase {
    case folded, hasCapitals, notASCII

    init(_ text: String) {
      var text = text
      self = text.withUTF8 { bytes in
        // All are looked at, which the compiler turns into a few instructions for many bytes.
        var all: UInt8 = 0
        var capitals: UInt8 = 0
        for byte in bytes {
          all |= byte
          capitals |= byte &- UInt8(ascii: "A") < 26 ? 1 : 0
        }
        return all >= 0x80 ? .notASCII : capitals != 0 ? .hasCapitals : .folded
      }
    }
  }
}
