import HTTPMessage
import SCIMCore

/// `If-Match` and `If-None-Match` (RFC 9110 section 13.1), compared weakly since SCIM's tags are weak.
struct EntityTagCondition: Sendable {
  private let isAny: Bool
  private let tags: [String]

  /// Reads the list of a header field; nil where it is absent. What is no tag matches nothing.
  init?(_ value: String?) {
    guard let value else { return nil }
    let trimmed = value.filter { $0 != " " && $0 != "\t" }
    isAny = trimmed == "*"
    tags = trimmed.split(separator: ",").map { String($0.hasPrefix("W/") ? $0.dropFirst(2) : $0) }
  }

  func matches(_ stored: StoredResource) -> Bool {
    isAny || tags.contains("\"\(stored.version)\"")
  }
}

/// What a write asks of the present state; checked inside its transaction.
public struct WritePrecondition: Sendable {
  /// Asks for nothing.
  public static let none = WritePrecondition(version: nil)

  var ifMatch: EntityTagCondition?
  var ifNoneMatch: EntityTagCondition?

  init(headers: HeaderFields) {
    ifMatch = EntityTagCondition(headers.list("if-match"))
    ifNoneMatch = EntityTagCondition(headers.list("if-none-match"))
  }

  init(version: String?) {
    ifMatch = EntityTagCondition(version)
    ifNoneMatch = nil
  }

  /// - Throws: `preconditionFailed` where the present version is not one that the client named.
  func check(_ stored: StoredResource) throws(SCIMError) {
    if let ifMatch, !ifMatch.matches(stored) {
      throw SCIMError(.preconditionFailed, "The resource has changed: its version is not one that If-Match names.")
    }
    if let ifNoneMatch, ifNoneMatch.matches(stored) {
      throw SCIMError(.preconditionFailed, "The resource has a version that If-None-Match excludes.")
    }
  }
}
