import Foundation

/// The generated part of `docs/conformance.md`: the exchanges by the sections of the standards that they show.
struct ConformanceTable {
  /// A section of a standard, or a source without sections.
  struct Section: Hashable {
    var source: String
    var number: String
  }

  /// The standards in the order of the document, with the titles of the sections that occur.
  static let sources: [(name: String, title: String, sections: [String: String])] = [
    (
      "RFC 7643", "SCIM: Core Schema",
      [
        "2.1": "Attributes", "2.2": "Attribute Characteristics", "2.3": "Attribute Data Types", "2.3.1": "String",
        "2.3.2": "Boolean", "2.3.4": "Integer", "2.3.5": "DateTime", "2.3.8": "Complex",
        "2.4": "Multi-Valued Attributes", "2.5": "Unassigned and Null Values", "3": "SCIM Resources",
        "3.1": "Common Attributes", "3.3": "Attribute Extensions to Resources",
        "4": "SCIM Core Resources and Extensions",
        "4.1.1": "\"User\" Resource Schema: Singular Attributes",
        "4.1.2": "\"User\" Resource Schema: Multi-Valued Attributes", "4.2": "\"Group\" Resource Schema",
        "4.3": "Enterprise User Schema Extension", "5": "Service Provider Configuration Schema",
        "6": "ResourceType Schema", "7": "Schema Definition", "8.6": "Resource Type Representation",
        "8.7.1": "Resource Schema Representation", "8.7.2": "Service Provider Schema Representation",
      ]
    ),
    (
      "RFC 7644", "SCIM: Protocol",
      [
        "2": "Authentication and Authorization", "3": "SCIM Protocol", "3.1": "Background",
        "3.2": "SCIM Endpoints and HTTP Methods", "3.3": "Creating Resources", "3.4.1": "Retrieving a Known Resource",
        "3.4.2": "Query Resources",
        "3.4.2.1": "Query Endpoints", "3.4.2.2": "Filtering", "3.4.2.3": "Sorting", "3.4.2.4": "Pagination",
        "3.4.2.5": "Attributes", "3.4.3": "Querying Resources Using HTTP POST", "3.5.1": "Replacing with PUT",
        "3.5.2": "Modifying with PATCH", "3.5.2.1": "Add Operation", "3.5.2.2": "Remove Operation",
        "3.5.2.3": "Replace Operation", "3.6": "Deleting Resources", "3.7": "Bulk Operations",
        "3.7.1": "Circular Reference Processing", "3.7.2": "\"bulkId\" Temporary Identifiers",
        "3.7.3": "Response and Error Handling", "3.8": "Data Input/Output Formats",
        "3.9": "Additional Operation Response Parameters", "3.10": "Attribute Notation",
        "3.11": "\"/Me\" Authenticated Subject Alias", "3.12": "HTTP Status and Error Response Handling",
        "3.14": "Versioning Resources", "4": "Service Provider Configuration Endpoints",
        "5": "Preparation and Comparison of Internationalized Strings", "7": "Security Considerations",
        "7.5.2": "Disclosure of Sensitive Information in URIs", "8.1": "Media Type Registration",
      ]
    ),
    (
      "RFC 9865", "Cursor-Based Pagination of SCIM Resources",
      [
        "1": "Introduction", "2": "Query Parameters and Response Attributes", "2.1": "Pagination Errors",
        "2.2": "Sorting", "3": "Querying Resources Using HTTP POST", "4": "Service Provider Configuration",
      ]
    ),
    ("draft-ietf-scim-roles-entitlements", "SCIM Roles and Entitlements", [:]),
    ("Okta's entitlement guide", "SCIM 2.0 with entitlements", [:]),
    (
      "RFC 9110", "HTTP Semantics",
      ["8.8.3": "ETag", "9.3.2": "HEAD", "13.1.1": "If-Match", "15.5.6": "405 Method Not Allowed"]
    ),
    ("RFC 7240", "Prefer Header for HTTP", ["4.2": "The \"return=representation\" and \"return=minimal\" Preferences"]),
    ("RFC 7235", "HTTP Authentication", ["2.1": "Challenge and Response"]),
    ("RFC 6750", "Bearer Token Usage", ["3": "The WWW-Authenticate Response Header Field"]),
    ("RFC 8259", "JSON", ["4": "Objects", "8.2": "Unicode Characters"]),
    ("Roster's own rules", "where the standards are silent", [:]),
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

  /// The table: each case once in full, under the section that it names first, and by its name under the others.
  static func markdown(_ exchanges: [ExchangeCase]) -> String {
    var full: [Section: [ExchangeCase]] = [:]
    var also: [Section: [ExchangeCase]] = [:]
    for exchange in exchanges {
      let sections = sections(of: exchange)
      for (index, section) in sections.enumerated() where !sections[..<index].contains(section) {
        if index == 0 {
          full[section, default: []].append(exchange)
        } else {
          also[section, default: []].append(exchange)
        }
      }
    }
    var text = ""
    for source in sources {
      let sections = Set(full.keys).union(also.keys).filter { $0.source == source.name }
      guard !sections.isEmpty else { continue }
      text += "### \(source.name): \(source.title)\n\n"
      for section in sections.sorted(by: { isBefore($0.number, $1.number) }) {
        if !section.number.isEmpty { text += "#### \(section.number) \(source.sections[section.number] ?? "")\n\n" }
        for exchange in full[section] ?? [] { text += "- **\(exchange.name)**: \(purpose(exchange))\n" }
        if let more = also[section] {
          text += "- \(full[section] == nil ? "See" : "See also"): \(more.map(\.name).joined(separator: "; "))\n"
        }
        text += "\n"
      }
    }
    return text
  }

  private static func isBefore(_ left: String, _ right: String) -> Bool {
    left.split(separator: ".").map { Int($0) ?? 0 }.lexicographicallyPrecedes(
      right.split(separator: ".").map { Int($0) ?? 0 })
  }
}
