import HTTPMessage

/// Writes answers as bytes (RFC 9112 section 4), with the fields that are the transport's to set; for one thread.
final class ResponseWriter {
  /// What an answer depends on besides itself.
  struct Context {
    var isHead = false
    var closes = false
    var acceptEncoding: String?
    var requestID = ""
  }

  /// Longer bodies are not compressed on a loop's thread: who makes them takes a ticket, and they are compressed there.
  static let longestCompressed = 256 << 10

  let gzip = Gzip()
  var date = HTTPDate()
  let compresses: Bool
  private let minimum: Int

  init(compresses: Bool, minimum: Int) {
    self.compresses = compresses
    self.minimum = minimum
  }

  /// Appends head and body of an answer to `queue`, so that one send takes both; nothing may follow a long body there
  /// before the queue has been sent.
  func append(_ answer: Outgoing, _ context: Context, to queue: inout OutputQueue) {
    let response = answer.response
    let hasNoContent = response.status == 204 || response.status == 304
    var body = response.body
    var isCompressible = answer.isCompressed
    var isCompressed = answer.isCompressed
    if !isCompressed, Self.isCompressible(response, minimum: minimum), compresses {
      isCompressible = true
      if body.count <= answer.longestCompressed, let accepted = context.acceptEncoding,
        AcceptEncoding.prefersGzip(accepted), let packed = gzip.compress(body), packed.count < body.count
      {
        body = packed
        isCompressed = true
      }
    }
    appendHead(
      response, context, length: hasNoContent ? nil : body.count, isCompressed: isCompressed,
      isCompressible: isCompressible, to: &queue.front)
    guard !context.isHead, !hasNoContent else { return }
    if body.count < OutputQueue.handedOver { queue.front.append(body) } else { queue.append(body) }
  }

  /// True where a body is long enough to be compressed, and is not yet.
  static func isCompressible(_ response: Response, minimum: Int) -> Bool {
    response.body.count >= minimum && response.status != 204 && response.status != 304
      && !has("content-encoding", response)
  }

  /// - Parameter length: of the body; nil where there can be none.
  private func appendHead(
    _ response: Response, _ context: Context, length: Int?, isCompressed: Bool, isCompressible: Bool,
    to output: inout ByteBuffer
  ) {
    appendStatus(response.status, to: &output)
    for (name, value) in response.headers where !Self.isOwn(name) {
      appendText(name, to: &output)
      output.append(": ")
      appendText(value, to: &output)
      output.append("\r\n")
    }
    if isCompressed { output.append("Content-Encoding: gzip\r\n") }
    if isCompressible { output.append("Vary: Accept-Encoding\r\n") }
    output.append(date.line)
    if !context.requestID.isEmpty {
      output.append("X-Request-Id: ")
      appendText(context.requestID, to: &output)
      output.append("\r\n")
    }
    if let length {
      output.append("Content-Length: ")
      appendNumber(length, to: &output)
      output.append("\r\n")
    }
    output.append(context.closes ? "Connection: close\r\n\r\n" : "\r\n")
  }

  private static func has(_ lowercasedName: String, _ response: Response) -> Bool {
    response.headers.contains {
      $0.name.utf8.count == lowercasedName.utf8.count && $0.name.lowercased() == lowercasedName
    }
  }

  /// Whether a field is the transport's own, which a responder cannot set: a second one would spoil the framing.
  private static func isOwn(_ name: String) -> Bool {
    switch name.utf8.count {
    case 4: name != "ETag" && name.lowercased() == "date"
    case 10: name.lowercased() == "connection"
    case 12: name != "Content-Type" && name.lowercased() == "x-request-id"
    case 14: name.lowercased() == "content-length"
    case 17: name.lowercased() == "transfer-encoding"
    default: false
    }
  }

  /// Appends a field's name or value; a control character in it becomes a blank, so that it cannot end the line.
  private func appendText(_ text: String, to output: inout ByteBuffer) {
    let utf8 = text.utf8
    let copied: Int? = utf8.withContiguousStorageIfAvailable { source in
      let target = output.tail(source.count)
      for i in 0..<source.count {
        target[i] = Characters.isBarredFromValue(source[i]) ? 0x20 : source[i]
      }
      return source.count
    }
    if let copied {
      output.commit(copied)
    } else {
      output.append(utf8.map { Characters.isBarredFromValue($0) ? 0x20 : $0 })
    }
  }

  private func appendNumber(_ number: Int, to output: inout ByteBuffer) {
    let target = output.tail(20)
    var length = 1
    var rest = number / 10
    while rest > 0 {
      rest /= 10
      length += 1
    }
    rest = number
    for i in (0..<length).reversed() {
      target[i] = UInt8(0x30 + rest % 10)
      rest /= 10
    }
    output.commit(length)
  }

  private func appendStatus(_ status: Int, to output: inout ByteBuffer) {
    if let line = Self.line(status) {
      output.append(line)
    } else {
      output.append("HTTP/1.1 ")
      appendNumber(min(max(status, 200), 599), to: &output)
      output.append(" \r\n")
    }
  }

  private static func line(_ status: Int) -> StaticString? {
    switch status {
    case 200: "HTTP/1.1 200 OK\r\n"
    case 201: "HTTP/1.1 201 Created\r\n"
    case 202: "HTTP/1.1 202 Accepted\r\n"
    case 204: "HTTP/1.1 204 No Content\r\n"
    case 301: "HTTP/1.1 301 Moved Permanently\r\n"
    case 302: "HTTP/1.1 302 Found\r\n"
    case 304: "HTTP/1.1 304 Not Modified\r\n"
    case 307: "HTTP/1.1 307 Temporary Redirect\r\n"
    case 308: "HTTP/1.1 308 Permanent Redirect\r\n"
    case 400: "HTTP/1.1 400 Bad Request\r\n"
    case 401: "HTTP/1.1 401 Unauthorized\r\n"
    case 403: "HTTP/1.1 403 Forbidden\r\n"
    case 404: "HTTP/1.1 404 Not Found\r\n"
    case 405: "HTTP/1.1 405 Method Not Allowed\r\n"
    case 406: "HTTP/1.1 406 Not Acceptable\r\n"
    case 408: "HTTP/1.1 408 Request Timeout\r\n"
    case 409: "HTTP/1.1 409 Conflict\r\n"
    case 411: "HTTP/1.1 411 Length Required\r\n"
    case 412: "HTTP/1.1 412 Precondition Failed\r\n"
    case 413: "HTTP/1.1 413 Content Too Large\r\n"
    case 414: "HTTP/1.1 414 URI Too Long\r\n"
    case 415: "HTTP/1.1 415 Unsupported Media Type\r\n"
    case 417: "HTTP/1.1 417 Expectation Failed\r\n"
    case 422: "HTTP/1.1 422 Unprocessable Content\r\n"
    case 429: "HTTP/1.1 429 Too Many Requests\r\n"
    case 431: "HTTP/1.1 431 Request Header Fields Too Large\r\n"
    case 500: "HTTP/1.1 500 Internal Server Error\r\n"
    case 501: "HTTP/1.1 501 Not Implemented\r\n"
    case 503: "HTTP/1.1 503 Service Unavailable\r\n"
    case 505: "HTTP/1.1 505 HTTP Version Not Supported\r\n"
    default: nil
    }
  }
}
