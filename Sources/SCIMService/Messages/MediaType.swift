import HTTPMessage

/// What a request may bring and what its answer is called (RFC 7644 section 3.8).
enum MediaType: String {
  case scim = "application/scim+json"
  case json = "application/json"

  /// The type of the answer: plain JSON only where Accept names that and not SCIM's.
  static func accepted(by headers: HeaderFields) -> MediaType {
    guard let accept = headers["accept"], accept != scim.rawValue, accept != "*/*" else { return .scim }
    let all = headers.list("accept") ?? accept
    var best = (json: 0.0, scim: 0.0)
    for range in all.split(separator: ",") {
      let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
      guard let name = parts.first else { continue }
      let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
      if name == json.rawValue { best.json = max(best.json, quality) }
      if name == scim.rawValue || name == "*/*" || name == "application/*" { best.scim = max(best.scim, quality) }
    }
    return best.json > 0 && best.scim == 0 ? .json : .scim
  }

  /// True where a body of that Content-Type is read: either JSON type with any parameters, or none named.
  static func isReadable(_ contentType: String?) -> Bool {
    guard let contentType else { return true }
    if contentType == scim.rawValue || contentType == json.rawValue || contentType.isEmpty { return true }
    let name = contentType.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)[0]
      .filter { $0 != " " && $0 != "\t" }.lowercased()
    return name == scim.rawValue || name == json.rawValue
  }
}
