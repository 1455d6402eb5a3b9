/// What names, URNs and endpoints of schema documents look like.
enum SchemaSyntax {
  /// Endpoints of the protocol itself, in lower case.
  static let reservedEndpoints = [
    "/schemas", "/resourcetypes", "/serviceproviderconfig", "/serviceproviderconfigs", "/bulk", "/me", "/.search",
  ]

  /// True for `ALPHA *("$" / "-" / "_" / DIGIT / ALPHA)` (RFC 7643 section 2.1).
  static func isAttributeName(_ name: String) -> Bool {
    isName(name) { isLetterOrDigit($0) || $0 == UInt8(ascii: "$") || $0 == dash || $0 == underscore }
  }

  /// The most characters of the name of a type and of an endpoint behind its slash.
  static let longestTypeName = 100

  /// True for a letter followed by letters, digits, `-` and `_`, not too many: what stands in a URL path as it is.
  static func isTypeName(_ name: String) -> Bool {
    name.utf8.count <= longestTypeName
      && isName(name) { isLetterOrDigit($0) || $0 == dash || $0 == underscore }
  }

  /// What is wrong with an endpoint such as `/Users`; nil where it is one path segment behind a slash, and free.
  static func endpointProblem(_ endpoint: String) -> String? {
    guard endpoint.utf8.first == UInt8(ascii: "/") else { return "must begin with a slash, as /Users does" }
    if reservedEndpoints.contains(ASCII.lowercase(endpoint)) {
      return "\"\(endpoint)\" belongs to the protocol (RFC 7644 section 3.2)"
    }
    guard isTypeName(String(endpoint.dropFirst())) else {
      return "must be one path segment of letters, digits, - and _ that begins with a letter, as /Users is"
    }
    return nil
  }

  /// What is wrong with the URN of a schema; nil where it is `urn:`, a namespace, `:` and a name (RFC 8141) without
  /// characters that have a meaning in filters, paths or addresses.
  static func urnProblem(_ urn: String) -> String? {
    let parts = urn.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, ASCII.equalIgnoringCase(String(parts[0]), "urn"), isNamespace(parts[1]),
      isSpecificString(parts[2])
    else {
      return "must be a URN such as urn:example:scim:schemas:extension:app:1.0:Device,"
        + " of letters, digits and - . _ ~ :, with 2 to 32 letters, digits or - behind \"urn:\""
    }
    let folded = ASCII.lowercase(urn)
    if folded.hasPrefix(SchemaURN.messages) {
      return "is the URN of a protocol message, which is no schema of resources (RFC 7644 section 3.1)"
    }
    let own = [SchemaURN.schema, SchemaURN.resourceType, SchemaURN.serviceProviderConfig]
    if own.contains(where: { ASCII.lowercase($0) == folded }) {
      return "is the URN of a discovery document, whose schema the RFC fixes (RFC 7643 section 8.7.2)"
    }
    return nil
  }

  private static let dash = UInt8(ascii: "-")
  private static let underscore = UInt8(ascii: "_")

  private static func isName(_ name: String, _ isAllowed: (UInt8) -> Bool) -> Bool {
    guard let first = name.utf8.first, isLetter(first) else { return false }
    return name.utf8.allSatisfy(isAllowed)
  }

  private static func isNamespace(_ text: Substring) -> Bool {
    (2...32).contains(text.utf8.count) && text.utf8.allSatisfy { isLetterOrDigit($0) || $0 == dash }
      && text.utf8.first != dash && text.utf8.last != dash
  }

  private static func isSpecificString(_ text: Substring) -> Bool {
    guard let last = text.utf8.last, last != UInt8(ascii: ":"), text.utf8.first != UInt8(ascii: ":") else {
      return false
    }
    let others = "-._~:".utf8
    return text.utf8.allSatisfy { isLetterOrDigit($0) || others.contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { ASCII.lowercase(byte) &- UInt8(ascii: "a") < 26 }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool { isLetter(byte) || byte &- UInt8(ascii: "0") < 10 }
}
