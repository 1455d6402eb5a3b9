import Foundation
import Testing

/// `docs/conformance.md` says which exchange shows which section; that part of it is made here, by `make docs`.
struct ConformanceDocumentTests {
  static let begin = "<!-- From here to the end: made by `make docs` from Tests/Fixtures/exchanges. -->\n"
  static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/conformance.md")

  @Test func theTableIsThatOfTheFixtures() throws {
    let text = try String(contentsOf: Self.file, encoding: .utf8)
    let start = try #require(text.range(of: Self.begin)?.upperBound, "the line that begins the table is missing")
    let table = "\n" + ConformanceTable.markdown(ExchangeCase.all).trimmingCharacters(in: .newlines) + "\n"
    if ProcessInfo.processInfo.environment["ROSTER_WRITE_DOCS"] != nil {
      try (text[..<start] + table).write(to: Self.file, atomically: true, encoding: .utf8)
    } else {
      #expect(text[start...] == table, "docs/conformance.md is out of date: run make docs")
    }
  }

  @Test func everySectionHasATitle() {
    for exchange in ExchangeCase.all {
      for section in ConformanceTable.sections(of: exchange) {
        let source = ConformanceTable.sources.first { $0.name == section.source }
        #expect(source != nil, "\(exchange.name) names \(section.source)")
        #expect(section.number.isEmpty || source?.sections[section.number] != nil, "\(exchange.name): \(section)")
      }
    }
  }

  @Test(arguments: [
    ("Names match. RFC 7643 §2.1; seen in some/project#4.", ["RFC 7643 2.1"], "Names match."),
    (
      "One. Two: three. RFC 7644 §3.3, §3.14, RFC 9110 §13.1.1.", ["RFC 7644 3.3", "RFC 7644 3.14", "RFC 9110 13.1.1"],
      "One. Two: three."
    ),
    (
      "It is counted. draft-ietf-scim-roles-entitlements-01; seen in a/b#1.", ["draft-ietf-scim-roles-entitlements "],
      "It is counted."
    ),
    ("RFC 7235 section 2.1: any letter case.", ["RFC 7235 2.1"], "RFC 7235 section 2.1: any letter case."),
    ("No match is kept. Rule of this server.", ["Roster's own rules "], "No match is kept."),
  ])
  func reasonsAreRead(_ why: String, _ sections: [String], _ purpose: String) {
    let exchange = ExchangeCase(file: "", name: "", why: why, steps: [])
    #expect(ConformanceTable.sections(of: exchange).map { "\($0.source) \($0.number)" } == sections)
    #expect(ConformanceTable.purpose(exchange) == purpose)
  }
}
