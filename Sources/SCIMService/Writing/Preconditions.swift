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

  /// `entityTag` is as it stands in an `ETag` field, for example `W/"3"`.
  func matches(_ entityTag: String) -> Bool {
    isAny || tags.contains(String(entityTag.hasPrefix("W/") ? entityTag.dropFirst(2) : entityTag[...]))
  }
}

/// What a request asks of the present state; that of a write is checked inside its transaction.
public struct Precondition: Sendable {
  /// Asks for nothing.
  public static let none = Precondition(version: nil)

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

  /// True where any state will do.
  var isEmpty: Bool { ifMatch == nil && ifNoneMatch == nil }

  /// - Throws: `preconditionFailed` where the present version is not one that the client named.
  func check(_ stored: StoredResource) throws(SCIMError) {
    guard !isEmpty else { return }
    try check(stored.entityTag)
  }

  /// `entityTag` is that of the present state, as it stands in an `ETag` field.
  func check(_ entityTag: String) throws(SCIMError) {
    try checkMatch(entityTag)
    if let ifNoneMatch, ifNoneMatch.matches(entityTag) {
      throw SCIMError(.preconditionFailed, "The resource has a version that If-None-Match excludes.")
    }
  }

  /// True where a read is answered with 304: the client has that state.
  ///
  /// - Throws: `preconditionFailed` where `If-Match` names other versions, which a read follows as well (RFC 9110 section
  ///   13.2.2).
  func isKnown(_ entityTag: @autoclosure () -> String) throws(SCIMError) -> Bool {
    guard !isEmpty else { return false }
    let tag = entityTag()
    try checkMatch(tag)
    return ifNoneMatch?.matches(tag) ?? false
  }

  private func checkMatch(_ entityTag: String) throws(SCIMError) {
    if let ifMatch, !ifMatch.matches(entityTag) {
      throw SCIMError(.preconditionFailed, "The resource has changed: its version is not one that If-Match names.")
    }
  }
}
