import Foundation
import Testing

/// `docs/conformance.md` says what the RFCs ask and what shows it; its tables are made here, by `make docs`.
struct ConformanceDocumentTests {
  static let file = RequirementFile.root.appending(path: "docs/conformance.md")

  @Test func theTablesAreThoseOfTheFixtures() throws {
    let text = try String(contentsOf: Self.file, encoding: .utf8)
    let page = try #require(ConformancePage().filled(text), "a mark that begins or ends a table is missing")
    if ProcessInfo.processInfo.environment["ROSTER_WRITE_DOCS"] != nil {
      try page.write(to: Self.file, atomically: true, encoding: .utf8)
    } else {
      #expect(text == page, "docs/conformance.md is out of date: run make docs")
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
    #expect(ExchangeReason.sections(of: exchange).map { "\($0.source) \($0.number)" } == sections)
    #expect(ExchangeReason.purpose(exchange) == purpose)
  }
}
