/// What a request is refused with: a closed set of kinds, each with the status and scimType of RFC 7644 section 3.12.
///
/// `detail` is one sentence for the client. It names attributes, limits and what the client itself sent where that
/// helps; never stored values, keys or passwords.
public struct SCIMError: Error, Sendable, Equatable {
  /// What is wrong: the scimTypes, and what HTTP has a status for.
  public enum Kind: String, Sendable, CaseIterable {
    // RFC 7644 table 9 and RFC 9865 section 2.
    case invalidFilter, tooMany, uniqueness, mutability, invalidSyntax, invalidPath, noTarget, invalidValue, invalidVers
    case sensitive, invalidCursor, expiredCursor, invalidCount
    // HTTP's own.
    case badRequest, unauthorized, forbidden, notFound, methodNotAllowed, conflict, preconditionFailed
    case payloadTooLarge, unsupportedMediaType, tooManyRequests, internalError, notImplemented, unavailable
    /// No answer to a client: the work is to be done on a thread that others do not wait for.
    case tooCostly
  }

  /// What is wrong, from which status and scimType follow.
  public var kind: Kind
  /// One sentence for the client.
  public var detail: String
  /// The attribute that it is about, as the schema spells it, such as `userName` or `emails.value`; nil where it is about
  /// none. For the log: a client finds it in `detail`.
  public var attribute: String?
  /// True where a resource would be a part of itself.
  public var isCircle = false

  public init(_ kind: Kind, _ detail: String, attribute: String? = nil) {
    self.kind = kind
    self.detail = detail
    self.attribute = attribute
  }

  /// What is said of a resource that would be a part of itself.
  public static func circle(_ detail: String, attribute: String? = nil) -> SCIMError {
    var error = SCIMError(.invalidValue, detail, attribute: attribute)
    error.isCircle = true
    return error
  }

  /// Two errors are equal where a client could not tell them apart.
  public static func == (left: SCIMError, right: SCIMError) -> Bool {
    left.kind == right.kind && left.detail == right.detail
  }

  /// What an organisation is told that has as much waiting as it may.
  public static var tooManyWaiting: SCIMError {
    SCIMError(.tooManyRequests, "This organisation has too many requests waiting. Try again later.")
  }

  /// What is told to those whose requests are not begun any more.
  public static var stopping: SCIMError { SCIMError(.unavailable, "The server is stopping.") }

  /// What an organisation is told whose clients have left too much of earlier answers unread.
  public static var tooManyUnread: SCIMError {
    SCIMError(
      .tooManyRequests, "Clients of this organisation have not read earlier answers. Try again later.")
  }
}

extension SCIMError {
  /// The HTTP status that goes with the kind.
  public var status: Int {
    switch kind {
    case .invalidFilter, .tooMany, .mutability, .invalidSyntax, .invalidPath, .noTarget, .invalidValue, .invalidVers,
      .invalidCursor, .expiredCursor, .invalidCount, .badRequest:
      400
    case .unauthorized: 401
    case .sensitive, .forbidden: 403
    case .notFound: 404
    case .methodNotAllowed: 405
    case .uniqueness, .conflict: 409
    case .preconditionFailed: 412
    case .payloadTooLarge: 413
    case .unsupportedMediaType: 415
    case .tooManyRequests: 429
    case .internalError, .tooCostly: 500
    case .notImplemented: 501
    case .unavailable: 503
    }
  }

  /// The scimType of RFC 7644 table 9 or RFC 9865, where the kind has one.
  public var scimType: String? {
    switch kind {
    case .invalidFilter, .tooMany, .uniqueness, .mutability, .invalidSyntax, .invalidPath, .noTarget, .invalidValue,
      .invalidVers, .sensitive, .invalidCursor, .expiredCursor, .invalidCount:
      kind.rawValue
    default: nil
    }
  }
}
