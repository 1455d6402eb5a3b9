import Glibc
import HTTPMessage

/// Reads the field lines of a head (RFC 9112 section 5) and what they say about framing, Host and connection.
struct FieldReader: ~Copyable {
  let maxFields: Int

  private var count = 0
  private var hosts = 0
  private var hostIsValid = false
  private var credentials = 0
  private var lengths = 0
  private var length: Int?
  private var transferEncodings = 0
  private var chunked = TransferEncoding.malformed
  private var codings = 0

  private enum TransferEncoding { case chunked, unknown, malformed }

  init(maxFields: Int) {
    self.maxFields = maxFields
  }

  /// Reads the lines from `start` to `end`, each of which ends in CR LF.
  mutating func read(
    _ base: UnsafePointer<UInt8>, from start: Int, to end: Int, into head: inout RequestHead
  ) -> Fault? {
    head.request.headers.reserveCapacity(8)
    var at = start
    while at < end {
      let line = base + at
      guard let found = memchr(line, 0x0A, end - at) else { return .field }
      let length = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) - line - 1
      count += 1
      guard count <= maxFields else { return .tooManyFields }
      if let fault = readField(line, length, into: &head) { return fault }
      at += length + 2
    }
    return nil
  }

  private mutating func readField(
    _ line: UnsafePointer<UInt8>, _ count: Int, into head: inout RequestHead
  ) -> Fault? {
    var at = 0
    while at < count, Characters.isToken(line[at]) { at += 1 }
    // No blank before the colon (RFC 9112 section 5.1), and no folded line (5.2): neither begins with a token.
    guard at > 0, at < count, line[at] == UInt8(ascii: ":") else { return .field }
    let (name, role) = FieldNames.find(line, at)
    var start = at + 1
    var end = count
    while start < end, Characters.isBlank(line[start]) { start += 1 }
    while end > start, Characters.isBlank(line[end - 1]) { end -= 1 }
    var barred = false
    for i in start..<end { barred = barred || Characters.isBarredFromValue(line[i]) }
    if barred { return .field }
    let bytes = line + start
    let length = end - start
    let value = String(decoding: UnsafeBufferPointer(start: bytes, count: length), as: UTF8.self)
    head.request.headers.append(HeaderFields.Field(lowercasedName: name, value: value))
    return role == .other ? nil : note(role, bytes, length, value, into: &head)
  }

  private mutating func note(
    _ role: FieldNames.Role, _ bytes: UnsafePointer<UInt8>, _ count: Int, _ value: String,
    into head: inout RequestHead
  ) -> Fault? {
    switch role {
    case .host:
      hosts += 1
      if !head.isAbsolute { head.request.authority = value }
      hostIsValid = Authority.isValid(UnsafeBufferPointer(start: bytes, count: count))
    case .authorization:
      // Which of two counts would be a matter of who reads them, a proxy in front or the server: RFC 6750 section 3.1
      // has a request that brings credentials in more than one way refused with 400.
      credentials += 1
      guard credentials == 1 else { return .authorization }
    case .contentLength:
      // Digits only; a list of them, or a second field even with the same number, is ambiguous.
      lengths += 1
      guard count > 0 else { return .contentLength }
      var sum = 0
      for i in 0..<count {
        guard Characters.isDigit(bytes[i]) else { return .contentLength }
        let (tens, over) = sum.multipliedReportingOverflow(by: 10)
        let (next, above) = tens.addingReportingOverflow(Int(bytes[i] &- 0x30))
        // Beyond what can be counted it is too large for any limit: it stays there.
        sum = over || above || sum == .max ? .max : next
      }
      length = sum
    case .transferEncoding:
      transferEncodings += 1
      chunked = Self.transferEncoding(bytes, count)
    case .connection:
      Self.eachElement(bytes, count) { element, length in
        if Characters.equal(element, length, "close") { head.closes = true }
      }
    case .expect:
      let known = Characters.equal(bytes, count, "100-continue")
      if head.expectation != .unknown { head.expectation = known ? .continue : .unknown }
    case .contentEncoding:
      codings += 1
      if Characters.equal(bytes, count, "gzip") || Characters.equal(bytes, count, "x-gzip") {
        head.coding = .gzip
      } else if !Characters.equal(bytes, count, "identity") {
        head.coding = .unknown
      }
      if codings > 1 { head.coding = .unknown }
    case .acceptEncoding:
      head.acceptEncoding = head.acceptEncoding.map { $0 + ", " + value } ?? value
    case .requestID:
      // It goes into an answer and into the log: one that could be more than a word there is not taken over.
      if head.request.id.isEmpty, RequestIDs.isValid(bytes, count) { head.request.id = value }
    case .other:
      break
    }
    return nil
  }

  /// Which coding a Transfer-Encoding names: one that ends in `chunked` is a coding not understood, any other leaves
  /// the body's end unknown (RFC 9112 section 6.3).
  private static func transferEncoding(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> TransferEncoding {
    if Characters.equal(bytes, count, "chunked") { return .chunked }
    var elements = 0
    var chunks = 0
    var lastIsChunked = false
    Self.eachElement(bytes, count) { element, length in
      elements += 1
      lastIsChunked = Characters.equal(element, length, "chunked")
      if lastIsChunked { chunks += 1 }
    }
    return elements > 1 && lastIsChunked && chunks == 1 ? .unknown : .malformed
  }

  /// Calls `body` with each element, blanks removed, of a list that commas part.
  private static func eachElement(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, _ body: (UnsafePointer<UInt8>, Int) -> Void
  ) {
    var at = 0
    while at <= count {
      var start = at
      while at < count, bytes[at] != UInt8(ascii: ",") { at += 1 }
      var end = at
      while start < end, Characters.isBlank(bytes[start]) { start += 1 }
      while end > start, Characters.isBlank(bytes[end - 1]) { end -= 1 }
      body(bytes + start, end - start)
      at += 1
    }
  }

  /// Puts into `head` what the fields say together; tells what is wrong with them.
  func finish(_ head: inout RequestHead) -> Fault? {
    // One Host field and no more, also beside an absolute target, which overrides it (RFC 9112 section 3.2).
    guard hosts == 1 ? hostIsValid : hosts == 0 && head.isHTTP10 else { return .host }
    guard lengths <= 1 else { return .contentLength }
    if transferEncodings > 0 {
      guard transferEncodings == 1, lengths == 0, !head.isHTTP10, chunked != .malformed else { return .framing }
      guard chunked == .chunked else { return .transferCoding }
      head.framing = .chunked
    } else if let length {
      head.framing = .length(length)
    }
    if head.isHTTP10 {
      head.closes = true
      // RFC 9110 section 10.1.1: an HTTP/1.0 client's expectation is ignored.
      head.expectation = .none
    }
    return nil
  }
}
