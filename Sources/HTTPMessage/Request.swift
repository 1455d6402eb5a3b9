/// One HTTP request whose head and body have arrived whole.
///
/// `path` and `query` stand as they came in the request target, percent-encoded; the absolute form has been reduced to
/// them, with its authority in `authority`. The body is decoded: no chunks, no gzip.
public struct Request: Sendable {
  /// The request method, case-sensitive (RFC 9110 section 9.1), for example `PATCH`.
  public var method: String
  /// The path of the target, percent-encoded and beginning with a slash, or `*`.
  public var path: String
  /// The query of the target without its question mark, percent-encoded; nil where the target has none.
  public var query: String?
  /// Host and port as the client named them; empty where an HTTP/1.0 request names none.
  public var authority: String
  /// The header fields in the order in which they came.
  public var headers: HeaderFields
  /// The content, at most as long as the handler's body limit for this request.
  public var body: [UInt8]
  /// The client's network address without its port.
  public var peer: String
  /// What the request is called in the log and in `X-Request-Id` of its answer: at most 64 letters, digits, dots,
  /// underscores and hyphens, the client's own or made by the transport.
  public var id: String

  public init(
    method: String, path: String, query: String? = nil, authority: String = "", headers: HeaderFields = HeaderFields(),
    body: [UInt8] = [], peer: String = "", id: String = ""
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.authority = authority
    self.headers = headers
    self.body = body
    self.peer = peer
    self.id = id
  }
}
