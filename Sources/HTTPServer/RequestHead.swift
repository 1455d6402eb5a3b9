import HTTPMessage

/// A request head as read: the request without its body, and what the transport makes of it.
///
/// It is handed on and never copied: a copy would count references to each of its strings.
struct RequestHead: ~Copyable {
  /// How the body is framed (RFC 9112 section 6).
  enum Framing: Equatable {
    case none
    case length(Int)
    case chunked
  }

  /// What the `Expect` field asks for (RFC 9110 section 10.1.1).
  enum Expectation: Equatable {
    case none, `continue`, unknown
  }

  /// How the content is coded (RFC 9110 section 8.4).
  enum Coding: Equatable {
    case identity, gzip, unknown
  }

  var request = Request(method: "", path: "")
  var isHTTP10 = false
  /// Whether the target is in absolute form, so that its authority counts and not the Host field's.
  var isAbsolute = false
  var framing = Framing.none
  var expectation = Expectation.none
  var coding = Coding.identity
  /// Whether the connection ends with this request: asked for by the client, or HTTP/1.0.
  var closes = false
  /// What the client says of content codings in answers; nil where it says nothing.
  var acceptEncoding: String?
}
