import Foundation

/// Normalization form C (Unicode standard annex 15).
///
/// Foundation's own composition of whole strings is wrong for some old Hangul, Tibetan and Kannada sequences (it joins
/// jamo that do not belong together and leaves marks out of order), so that two different texts could become equal. It
/// is right for single characters, so the tables are read off from those once, the standard library knows the combining
/// classes, and the algorithm is here.
enum Normalization {
  /// True for characters that no neighbour can change and that are composed already: a text of them is in NFC.
  /// These cover what names in common scripts are made of; all else takes the long way.
  static func isInert(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x300: true  // Latin
    case 0x388...0x3FF, 0x400...0x482, 0x48A...0x52F: true  // Greek, Cyrillic
    case 0x531...0x58A, 0x5D0...0x5EA, 0x620...0x64A: true  // Armenian, Hebrew, Arabic letters
    case 0x1E00...0x1EFF: true  // Latin additional, as in Vietnamese
    case 0x2010...0x2027, 0x20A0...0x20C0: true  // dashes, quotes, currencies
    case 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF, 0xAC00...0xD7A3: true  // Kana, CJK, Hangul syllables
    case 0x1F300...0x1F6FF, 0x1F900...0x1F9FF: true  // pictographs
    default: false
    }
  }

  static func compose(_ text: String) -> String {
    var scalars = decomposed(text)
    sortMarks(&scalars)
    var result = String.UnicodeScalarView()
    result.reserveCapacity(text.utf8.count)
    for scalar in composed(scalars) { result.append(scalar) }
    return String(result)
  }

  private struct Classified {
    var scalar: Unicode.Scalar
    /// The canonical combining class: 0 for a starter, else marks of different classes may change places.
    var combiningClass: UInt8

    init(_ scalar: Unicode.Scalar) {
      self.scalar = scalar
      combiningClass = scalar.value < 0x300 ? 0 : scalar.properties.canonicalCombiningClass.rawValue
    }
  }

  private static func decomposed(_ text: String) -> [Classified] {
    var result: [Classified] = []
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      if scalar.value < 0xC0 {
        result.append(Classified(scalar))
      } else if let jamo = Hangul.decomposed(scalar) {
        result.append(contentsOf: jamo.map(Classified.init))
      } else if let parts = tables.decompositions[scalar] {
        result.append(contentsOf: parts.map(Classified.init))
      } else {
        result.append(Classified(scalar))
      }
    }
    return result
  }

  /// Puts each run of marks in the order of their classes; marks of one class stay in order.
  private static func sortMarks(_ scalars: inout [Classified]) {
    var start = 0
    while start < scalars.count {
      guard scalars[start].combiningClass != 0 else {
        start += 1
        continue
      }
      var end = start + 1
      while end < scalars.count, scalars[end].combiningClass != 0 { end += 1 }
      if end - start > 1 {
        let run = scalars[start..<end].enumerated().sorted {
          ($0.element.combiningClass, $0.offset) < ($1.element.combiningClass, $1.offset)
        }
        for (offset, item) in run.enumerated() { scalars[start + offset] = item.element }
      }
      start = end
    }
  }

  /// Joins each mark or jamo with the last starter, unless something between them blocks it.
  private static func composed(_ scalars: [Classified]) -> [Unicode.Scalar] {
    var result: [Unicode.Scalar] = []
    result.reserveCapacity(scalars.count)
    var starter: Int?
    var lastClass: UInt8 = 0
    for item in scalars {
      if let position = starter {
        let isAdjacent = position == result.count - 1
        if isAdjacent || lastClass != 0 && lastClass < item.combiningClass,
          let joined = pair(result[position], item.scalar)
        {
          result[position] = joined
          continue
        }
      }
      if item.combiningClass == 0 { starter = result.count }
      lastClass = item.combiningClass
      result.append(item.scalar)
    }
    return result
  }

  /// The primary composite of two characters, where there is one.
  private static func pair(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
    if isInert(second) { return nil }
    if Hangul.isJamo(second) { return Hangul.composed(first, second) }
    return tables.composites[Pair(first: first, second: second)]
  }

  private struct Pair: Hashable {
    let first: Unicode.Scalar
    let second: Unicode.Scalar
  }

  private static let tables = Tables()

  /// Makes the tables, where nobody waits for them.
  static func prepare() { _ = tables }

  /// What Unicode's data say of single characters, Hangul syllables aside; made once, in some 15 ms.
  private struct Tables {
    var decompositions: [Unicode.Scalar: [Unicode.Scalar]] = [:]
    var composites: [Pair: Unicode.Scalar] = [:]

    init() {
      for value in Normalization.decomposable.joined() {
        guard let scalar = Unicode.Scalar(value) else { continue }
        let text = String(Character(scalar))
        let parts = Array(text.decomposedStringWithCanonicalMapping.unicodeScalars)
        if parts == [scalar] { continue }
        decompositions[scalar] = parts
        // Those that NFC takes apart are no composites (the composition exclusions).
        guard parts.count > 1, Array(text.precomposedStringWithCanonicalMapping.unicodeScalars) == [scalar] else {
          continue
        }
        var front = String.UnicodeScalarView()
        front.append(contentsOf: parts.dropLast())
        let first = String(front).precomposedStringWithCanonicalMapping.unicodeScalars
        if first.count == 1 {
          composites[Pair(first: first[first.startIndex], second: parts[parts.count - 1])] = scalar
        }
      }
    }
  }

  /// Where the characters are that have a canonical decomposition; outside are only Hangul syllables.
  static let decomposable: [ClosedRange<UInt32>] = [
    0xC0...0x30FF, 0xF900...0xFB4F, 0x10500...0x11FFF, 0x16100...0x16DFF, 0x1D100...0x1D1FF, 0x2F800...0x2FA1F,
  ]
}

/// The arithmetic of Hangul syllables (Unicode standard section 3.12).
private enum Hangul {
  private static let leads: UInt32 = 0x1100
  private static let vowels: UInt32 = 0x1161
  /// One before the first trailing consonant: index 0 stands for none.
  private static let trails: UInt32 = 0x11A7
  private static let syllables: UInt32 = 0xAC00
  private static let leadCount: UInt32 = 19
  private static let vowelCount: UInt32 = 21
  private static let trailCount: UInt32 = 28

  static func isJamo(_ scalar: Unicode.Scalar) -> Bool { 0x1100...0x11FF ~= scalar.value }

  static func decomposed(_ scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
    guard 0xAC00...0xD7A3 ~= scalar.value else { return nil }
    let index = scalar.value - syllables
    let trail = index % trailCount
    let lead = leads + index / trailCount / vowelCount
    let vowel = vowels + index / trailCount % vowelCount
    return (trail == 0 ? [lead, vowel] : [lead, vowel, trails + trail]).compactMap(Unicode.Scalar.init)
  }

  static func composed(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
    let lead = first.value &- leads
    let vowel = second.value &- vowels
    if lead < leadCount, vowel < vowelCount {
      return Unicode.Scalar(syllables + (lead * vowelCount + vowel) * trailCount)
    }
    let trail = second.value &- trails
    if 0xAC00...0xD7A3 ~= first.value, (first.value - syllables) % trailCount == 0, 1..<trailCount ~= trail {
      return Unicode.Scalar(first.value + trail)
    }
    return nil
  }
}
