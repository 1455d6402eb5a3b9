import Foundation
import TestSupport
import Testing

@testable import SCIMCore

struct CaseFoldingTests {
  struct Row: CustomTestStringConvertible {
    let name: String
    let text: String
    let folded: String
    var testDescription: String { name }

    init(_ name: String, _ text: String, _ folded: String) {
      self.name = name
      self.text = text
      self.folded = folded
    }
  }

  static let rows: [Row] = [
    .init("empty", "", ""),
    .init("ASCII small", "bjensen@gridco.example", "bjensen@gridco.example"),
    .init("ASCII capitals and signs", "BJensen@[GRIDCO]_`Z{", "bjensen@[gridco]_`z{"),
    .init("ASCII over 15 bytes", "Barbara.Jensen@GRIDCO.example", "barbara.jensen@gridco.example"),
    .init("Latin-1", "MÜLLER ÀÞ", "müller àþ"),
    .init("decomposed", "Mu\u{308}ller", "m\u{FC}ller"),
    .init("decomposed capital", "MU\u{308}LLER", "m\u{FC}ller"),
    .init("marks out of order", "\u{1E0B}\u{323}", "\u{1E0D}\u{307}"),
    .init("sharp s stays", "Straße", "straße"),
    .init("capital sharp s", "STRA\u{1E9E}E", "straße"),
    .init("long s", "\u{17F}ei", "sei"),
    .init("long s with dot", "\u{1E9B}", "\u{1E61}"),
    .init("Kelvin sign", "\u{212A}", "k"),
    .init("Angstrom sign", "\u{212B}", "\u{E5}"),
    .init("micro sign", "\u{B5}", "\u{3BC}"),
    .init("Turkish capital I with dot stays", "\u{130}", "\u{130}"),
    .init("Turkish capital I with dot, decomposed, is the same", "I\u{307}", "\u{130}"),
    .init("small i with dot above", "i\u{307}", "i\u{307}"),
    .init("Turkish dotless i stays", "ı", "ı"),
    .init("Greek final sigma", "ΟΔΥΣΣΕΎΣ", "οδυσσεύσ"),
    .init("Greek final sigma, small", "Οδυσσεύς", "οδυσσεύσ"),
    .init("Greek symbol variants", "\u{3D1}\u{3F4}\u{3D0}\u{3F1}", "θθβρ"),
    .init("Greek iota subscript", "\u{1F88}", "\u{1F80}"),
    .init("Greek iota subscript, decomposed", "\u{391}\u{313}\u{345}", "\u{1F80}"),
    .init("lone iota subscript", "\u{345}", "ι"),
    .init("Greek dialytika and tonos, two encodings", "\u{1FD3}\u{390}", "\u{390}\u{390}"),
    .init("titlecase digraph", "ǅ", "ǆ"),
    .init("ligature st", "\u{FB05}", "\u{FB06}"),
    .init("ligature ffi stays", "\u{FB03}", "\u{FB03}"),
    .init("Cyrillic", "ЖУКОВ Ё", "жуков ё"),
    .init("Cyrillic composed", "\u{418}\u{306}", "\u{439}"),
    .init("Georgian capitals", "\u{1C90}", "\u{10D0}"),
    .init("Cherokee folds to capitals", "\u{AB70}\u{13A0}\u{13F8}\u{13F0}", "\u{13A0}\u{13A0}\u{13F0}\u{13F0}"),
    .init("Deseret", "\u{10400}", "\u{10428}"),
    .init("Hangul jamo", "\u{1112}\u{1161}\u{11AB}", "한"),
    .init("old Hangul stays apart", "\u{1101}\u{1107}\u{1176}", "\u{1101}\u{1107}\u{1176}"),
    .init("Tibetan vowel that decomposes behind a mark", "\u{316}\u{F73}", "\u{F71}\u{F72}\u{316}"),
    .init("Kannada in three parts", "\u{CC6}\u{CC2}\u{CD5}", "\u{CCB}"),
    .init("CJK compatibility", "\u{F900}", "\u{8C48}"),
    .init("full width is another character", "Ａ", "ａ"),
    .init("zero character", "A\u{0}B", "a\u{0}b"),
  ]

  @Test(arguments: rows) func folds(row: Row) {
    // By scalars: String's own == would not tell compositions apart.
    #expect(scalars(Folding.fold(row.text)) == scalars(row.folded))
    #expect(scalars(Folding.fold(row.folded)) == scalars(row.folded))
  }

  @Test func normalizationKeepsCase() {
    #expect(scalars(Folding.normalize("MU\u{308}LLER ς\u{212A}")) == scalars("M\u{DC}LLER ςK"))
  }

  /// Over all of Unicode: folding twice is folding once, the result is in NFC, and composition does not count.
  @Test func everyScalar() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), scalar.properties.generalCategory != .unassigned,
        scalar.properties.generalCategory != .privateUse
      else { continue }
      let text = String(Character(scalar))
      let folded = Folding.fold(text)
      let normalized = Folding.normalize(text)
      // The standard library compares by canonical equivalence: an oracle of its own.
      guard same(Folding.fold(folded), folded), same(Folding.normalize(folded), folded), normalized == text,
        same(Folding.normalize(normalized), normalized), same(Folding.fold(normalized), folded)
      else {
        Issue.record("U+\(String(value, radix: 16))")
        continue
      }
    }
  }

  /// What a neighbour could change must not be called inert: no combining mark, no second half of a composition, no
  /// character with another composed form.
  @Test func inertCharactersAreInert() {
    var seconds: Set<UInt32> = Set(0x1161...0x1175).union(0x11A8...0x11C2)
    var inert: [Unicode.Scalar] = []
    for value in UInt32(0)...0x2FFFF {
      guard let scalar = Unicode.Scalar(value), scalar.properties.generalCategory != .unassigned else { continue }
      let parts = String(Character(scalar)).decomposedStringWithCanonicalMapping.unicodeScalars
      let isDecomposable = Normalization.decomposable.contains { $0.contains(value) } || 0xAC00...0xD7A3 ~= value
      if !isDecomposable, parts.count > 1 || parts.first != scalar { Issue.record("U+\(String(value, radix: 16))") }
      seconds.formUnion(parts.dropFirst().map(\.value))
      if Normalization.isInert(scalar) { inert.append(scalar) }
    }
    #expect(seconds.count > 60)
    for scalar in inert {
      let text = String(Character(scalar))
      let isInert =
        scalar.properties.canonicalCombiningClass.rawValue == 0 && !seconds.contains(scalar.value)
        && same(Normalization.compose(text), text)
      if !isInert { Issue.record("U+\(String(scalar.value, radix: 16))") }
    }
  }

  /// Random sequences of letters, marks and jamo: the form is canonically equivalent, final, and the same for the
  /// decomposed text. Left out are the three Tibetan vowels whose marks the standard library's comparison misorders.
  @Test func randomSequences() {
    var generator = Random(seed: 1)
    let ranges: [ClosedRange<UInt32>] = [
      0x300...0x36F, 0x41...0x5A, 0xC0...0x24F, 0x370...0x3FF, 0x1F00...0x1FFF, 0x1100...0x11FF, 0xAC00...0xAC60,
      0x900...0x9FF, 0xF82...0xFBC, 0x590...0x65F, 0x11080...0x110C0,
    ]
    for _ in 0..<20_000 {
      var view = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 2...7, using: &generator) {
        let range = ranges[Bool.random(using: &generator) ? 0 : Int.random(in: 0..<ranges.count, using: &generator)]
        if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) { view.append(scalar) }
      }
      let text = String(view)
      let normalized = Folding.normalize(text)
      let folded = Folding.fold(text)
      guard normalized == text, same(Folding.normalize(normalized), normalized), same(Folding.fold(folded), folded),
        same(Folding.fold(normalized), folded)
      else {
        Issue.record("\(scalars(text))")
        continue
      }
    }
  }

  private func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

  private func same(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
}
