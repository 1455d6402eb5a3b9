/// One HTTP answer. The transport adds `Date`, `X-Request-Id`, `Content-Length`, `Connection` and, where it compresses,
/// `Content-Encoding` and `Vary`; all other fields come from here.
public struct Response: Sendable {
  /// The HTTP status.
  public var status: Int
  /// Field name and value as they are to be written, in order.
  public var headers: [(name: String, value: String)]
  /// The body before compression; empty for none.
  public var body: [UInt8]
  /// True where the connection is to be closed once this answer is out.
  public var closesConnection: Bool
  /// Whose answer it is: what clients have not taken yet is bounded for each account; nil for nobody in particular.
  public var account: Int64?

  public init(
    status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [], closesConnection: Bool = false
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.closesConnection = closesConnection
  }
}
