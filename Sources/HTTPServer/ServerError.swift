/// Why a server could not start.
public enum ServerError: Error, Equatable, CustomStringConvertible {
  /// Another process, or another server of this one, listens there.
  case addressInUse(host: String, port: Int)
  /// The host is neither an address nor `localhost`, or the port is out of range.
  case invalidAddress(host: String, port: Int)
  /// The system refused for the reason given.
  case system(doing: String, reason: String)
  /// The server has been started already.
  case started

  /// One sentence for whoever starts the server.
  public var description: String {
    switch self {
    case .addressInUse(let host, let port):
      "address in use: another process listens on \(host.contains(":") ? "[\(host)]" : host):\(port)"
    case .invalidAddress(let host, let port):
      "invalid address: \(host) port \(port); the host must be an IPv4 or IPv6 address or localhost"
    case .system(let doing, let reason): "\(doing): \(reason)"
    case .started: "the server has already been started"
    }
  }
}
