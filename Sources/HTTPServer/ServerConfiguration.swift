/// Where a server listens, and what it grants its clients.
///
/// Every duration is in milliseconds and absolute: it runs from the start of the phase that it bounds, so that a client
/// that sends or takes one byte now and then gains nothing by it.
public struct ServerConfiguration: Sendable {
  /// An IPv4 or IPv6 address in text, the latter with or without brackets, or `localhost` for 127.0.0.1.
  public var host = "127.0.0.1"
  /// The TCP port; 0 lets the system choose one, which `Server.port` then tells.
  public var port = 0
  /// The number of loops, each with a thread, a listening socket and a responder of its own; at least 1.
  public var threads = 1

  /// The longest request head in bytes, empty lines in front and line ends included.
  public var maxHeadBytes = 32 << 10
  /// The most header fields of a request, and the most trailer fields.
  public var maxFields = 100
  /// The most connections at any time, over all threads.
  public var maxConnections = 4096
  /// The most connections of one client: an IPv4 address, or the /64 network of an IPv6 address. A proxy is one client.
  public var maxConnectionsPerClient = 1024

  /// What clients have not taken yet of their answers, in all and for each account. The server counts; responders look
  /// here before they begin something whose answer could be long.
  public var unsent = ByteLedger(limit: 96 << 20)
  /// The most bytes of request bodies that are being read or have no answer yet; of one account, a third of it. Bodies of
  /// up to 4 KiB are not counted. Beyond it 503.
  public var maxBodyBytes = 64 << 20

  /// From the first byte of a head, or from the connection's start, to the head's end.
  public var headDeadline = 15_000
  /// From the end of the head to the end of the body.
  public var bodyDeadline = 40_000
  /// From the moment that an answer does not fit into the socket's buffer until all of it does.
  public var writeDeadline = 30_000
  /// From an answer to the next request on the same connection.
  public var idleDeadline = 75_000
  /// How long what a client still sends is read and dropped after the last answer, so that it can take that answer.
  public var lingerDeadline = 3_000
  /// How long a client that has closed its sending side may wait for an answer that is being worked on.
  public var halfClosedDeadline = 3_000
  /// How long `Server.stop` lets requests that are under way finish; those that are not by then are answered 503.
  public var drainDeadline = 10_000
  /// How long a loop is without a request before it calls `Responder.idle`.
  public var idleCallback = 5

  /// Whether answers are compressed for clients that take gzip.
  public var gzip = true
  /// The shortest body that is worth compressing, in bytes.
  public var gzipMinimum = 1024

  public init() {}
}
