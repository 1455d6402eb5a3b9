import Foundation

/// Reads from the reason of an exchange which sections of the standards it shows.
enum ExchangeReason {
  /// A section of a standard, or a source without sections.
  struct Section: Hashable {
    var source: String
    var number: String
  }

  /// What exchanges show besides the RFCs that have a file of requirements, in the order of the document.
  static let otherSources: [(name: String, title: String)] = [
    ("draft-ietf-scim-roles-entitlements", "SCIM Roles and Entitlements"),
    ("Okta's entitlement guide", "SCIM 2.0 with entitlements"),
    ("RFC 9110", "HTTP Semantics"), ("RFC 7240", "Prefer Header for HTTP"), ("RFC 7235", "HTTP Authentication"),
    ("RFC 6750", "Bearer Token Usage"), ("RFC 8259", "JSON"), ("Roster's own rules", "where the standards are silent"),
  ]

  /// What a case is for, without the sections and without where the need was met.
  static func purpose(_ exchange: ExchangeCase) -> String {
    var sentences = sentences(exchange.why)
    if let last = sentences.last, !sections(last).isEmpty || last.hasPrefix("Rule of") || last.hasPrefix("Interop"),
      sentences.count > 1
    {
      sentences.removeLast()
    }
    return sentences.joined(separator: " ").replacingOccurrences(of: "|", with: "\\|")
  }

  /// The sections that a case shows, in the order in which it names them.
  static func sections(of exchange: ExchangeCase) -> [Section] {
    let found = sections(sentences(exchange.why).joined(separator: " "))
    return found.isEmpty ? [Section(source: "Roster's own rules", number: "")] : found
  }

  private static func sections(_ text: String) -> [Section] {
    var found: [Section] = []
    var source = ""
    for match in text.matches(
      of: /RFC \d+|draft-ietf-scim-roles-entitlements|Okta's entitlement guide|(?:§|section )([\d.]*\d)/)
    {
      if let number = match.output.1 {
        found.append(Section(source: source, number: String(number)))
      } else {
        source = String(match.output.0)
        if !source.hasPrefix("RFC") { found.append(Section(source: source, number: "")) }
      }
    }
    return found
  }

  /// The sentences of a text, each cut off where it tells where the need was met.
  private static func sentences(_ text: String) -> [String] {
    text.replacing(/\.\s+(?=[A-Z]|draft-)/, with: ".\n").split(separator: "\n").map { sentence in
      guard let seen = sentence.firstRange(of: #/;? ?seen in /#) else { return String(sentence) }
      return sentence[..<seen.lowerBound] + "."
    }
  }

  /// True where the number of a section comes before another.
  static func isBefore(_ left: String, _ right: String) -> Bool {
    left.split(separator: ".").map { Int($0) ?? 0 }.lexicographicallyPrecedes(
      right.split(separator: ".").map { Int($0) ?? 0 })
  }
}
