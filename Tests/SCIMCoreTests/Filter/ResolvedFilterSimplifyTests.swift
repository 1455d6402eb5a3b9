import SCIMCore
import Testing

@Suite struct ResolvedFilterSimplifyTests {
  static let a = ResolvedFilter.present(reference("a"))
  static let b = ResolvedFilter.present(reference("b"))
  static let c = ResolvedFilter.compare(reference("c"), .eq, .text("x"))
  static let all = ResolvedFilter.constant(true)
  static let none = ResolvedFilter.constant(false)

  static func reference(_ name: String) -> AttributeReference {
    AttributeReference(home: .core, attribute: AttributeDefinition(name: name))
  }

  static let rows: [(ResolvedFilter, String)] = [
    (.and([]), "all"), (.or([]), "none"), (.and([a]), "a pr"), (.or([a]), "a pr"), (.and([a, all]), "a pr"),
    (.and([a, none]), "none"), (.or([a, none]), "a pr"), (.or([a, all]), "all"), (.and([all, all]), "all"),
    (.or([none, none]), "none"), (.and([a, .and([b, c])]), #"(a pr and b pr and c eq "x")"#),
    (.or([.or([a, b]), c]), #"(a pr or b pr or c eq "x")"#),
    (.and([a, .or([b, c])]), #"(a pr and (b pr or c eq "x"))"#),
    (.and([a, .or([b, none])]), "(a pr and b pr)"), (.not(all), "none"), (.not(none), "all"), (.not(a), "not a pr"),
    (.not(.not(a)), "a pr"), (.not(.not(.not(a))), "not a pr"), (.not(c), #"c ne "x""#), (.not(.not(c)), #"c eq "x""#),
    (.not(.and([a, all])), "not a pr"), (.not(.and([a, none])), "all"), (.not(.and([a, b])), "not (a pr and b pr)"),
    (.element(reference("a"), none), "none"), (.element(reference("a"), all), "a[all]"),
    (.element(reference("a"), .and([b, all])), "a[b pr]"), (.not(.element(reference("a"), .or([]))), "all"),
    (.not(.compare(reference("c"), .gt, .integer(1))), "not c gt 1"),
  ]

  @Test(arguments: rows.indices) func `is brought to its plainest form`(index: Int) {
    let (filter, words) = Self.rows[index]
    #expect(filter.simplified().words == words)
    #expect(filter.simplified().simplified().words == words)
  }
}
