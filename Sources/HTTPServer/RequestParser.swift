import Glibc
import HTTPMessage

/// Reads request heads (RFC 9112 sections 2 to 5), strictly: what could be read in two ways is a fault.
///
/// It may be called again and again with the same bytes and more behind them, and looks at each byte for a line end
/// once only; the verdict does not depend on how the bytes were cut.
struct RequestParser {
  enum Outcome: ~Copyable {
    /// The head is not all there.
    case incomplete
    /// A head, and its length in bytes with the empty line.
    case head(RequestHead, length: Int)
    /// The connection cannot go on: where the next request begins is not known.
    case fault(Fault)
  }

  let maxBytes: Int
  let maxFields: Int

  /// Where the request line begins: behind the empty line that may precede it.
  private var headStart = 0
  /// Where the line begins whose end is being looked for, and how far that has been done.
  private var lineStart = 0
  private var searched = 0
  /// The end of the request line, without its CR; nil until it is known.
  private var requestLineEnd: Int?

  init(maxBytes: Int, maxFields: Int) {
    self.maxBytes = maxBytes
    self.maxFields = maxFields
  }

  /// Whether nothing but the empty line before a request has been seen in `count` bytes.
  func isBlank(_ count: Int) -> Bool { count <= headStart }

  /// Reads the head at `base`, where the same `count` bytes as before, or more, must stand.
  mutating func parse(_ base: UnsafePointer<UInt8>, _ count: Int) -> Outcome {
    if count > headStart {
      // A TLS greeting or other noise may never send a line end: it is refused by its first byte.
      let first = base[headStart]
      guard Characters.isToken(first) || first == 0x0D else {
        return first == 0x0A ? .fault(.bareLineFeed) : .fault(.requestLine)
      }
    }
    let limit = min(count, maxBytes)
    while true {
      guard searched < limit, let found = memchr(base + searched, 0x0A, limit - searched) else {
        searched = max(searched, limit)
        guard count >= maxBytes else { return .incomplete }
        return .fault(requestLineEnd == nil ? .targetTooLong : .headTooLarge)
      }
      let feed = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) - base
      guard feed > lineStart, base[feed - 1] == 0x0D else { return .fault(.bareLineFeed) }
      searched = feed + 1
      if feed - 1 == lineStart {
        guard let lineEnd = requestLineEnd else {
          // RFC 9112 section 2.2 asks for one empty line to be ignored; a stream of them is no client.
          guard headStart == 0 else { return .fault(.requestLine) }
          headStart = feed + 1
          lineStart = feed + 1
          if headStart < count, !Characters.isToken(base[headStart]), base[headStart] != 0x0D {
            return .fault(base[headStart] == 0x0A ? .bareLineFeed : .requestLine)
          }
          continue
        }
        let end = lineStart
        let start = headStart
        reset()
        return read(base + start, lineEnd: lineEnd - start, end: end - start, length: feed + 1)
      }
      if requestLineEnd == nil { requestLineEnd = feed - 1 }
      lineStart = feed + 1
    }
  }

  private mutating func reset() {
    headStart = 0
    lineStart = 0
    searched = 0
    requestLineEnd = nil
  }

  /// Reads a head whose lines all end in CR LF: the request line ends at `lineEnd`, the fields' lines at `end`.
  private func read(_ base: UnsafePointer<UInt8>, lineEnd: Int, end: Int, length: Int) -> Outcome {
    var head = RequestHead()
    if let fault = RequestLine.read(base, lineEnd, into: &head) { return .fault(fault) }
    var fields = FieldReader(maxFields: maxFields)
    if let fault = fields.read(base, from: lineEnd + 2, to: end, into: &head) ?? fields.finish(&head) {
      return .fault(fault)
    }
    return .head(head, length: length)
  }
}

extension Fault: Error {}

extension Fault {
  static let bareLineFeed = Fault(status: 400, reason: "A line of the request head does not end in CR LF.")
  static let requestLine = Fault(status: 400, reason: "The request line is malformed.")
  static let target = Fault(status: 400, reason: "The request target is malformed.")
  static let version = Fault(status: 505, reason: "Only HTTP/1.1 and HTTP/1.0 are supported.")
  static let connect = Fault(status: 501, reason: "CONNECT is not supported.")
  static let targetTooLong = Fault(status: 414, reason: "The request line is too long.")
  static let headTooLarge = Fault(status: 431, reason: "The request head is too large.")
  static let authorization = Fault(status: 400, reason: "The request has more than one Authorization field.")
  static let tooManyFields = Fault(status: 431, reason: "The request has too many header fields.")
  static let field = Fault(status: 400, reason: "A header field is malformed.")
  static let host = Fault(status: 400, reason: "The request must have exactly one valid Host field.")
  static let contentLength = Fault(status: 400, reason: "The Content-Length is malformed.")
  static let framing = Fault(status: 400, reason: "The request's framing is ambiguous.")
  static let transferCoding = Fault(status: 501, reason: "The only supported transfer coding is chunked.")
  static let expectation = Fault(status: 417, reason: "The only supported expectation is 100-continue.")
  static let contentCoding = Fault(status: 415, reason: "The only supported content coding is gzip.")
  static let gzip = Fault(status: 400, reason: "The content is not valid gzip.")
  static let bodyTooLarge = Fault(status: 413, reason: "The content is too large.")
  static let chunk = Fault(status: 400, reason: "The chunked content is malformed.")
  static let trailersTooLarge = Fault(status: 431, reason: "The trailer fields are too large.")
  static let cutShort = Fault(status: 400, reason: "The request ended before it was complete.")
  static let tooSlow = Fault(status: 408, reason: "The request took too long to arrive.")
  static let unanswered = Fault(status: 500, reason: "The request was not answered.")
  static let tooManyConnections = Fault(status: 503, reason: "There are too many connections.")
  static let stopping = Fault(status: 503, reason: "The server is stopping.")
  static let tooManyBodies = Fault(status: 503, reason: "Too many request bodies are being received. Try again later.")
}
