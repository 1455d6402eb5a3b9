import HTTPMessage
import Testing

@testable import HTTPServer

@Suite("Request heads")
struct RequestParserTests {
  /// What became of the bytes of a row, in words.
  static func verdict(_ bytes: [UInt8], cuts: [Int] = []) -> String {
    var parser = RequestParser(maxBytes: 4096, maxFields: 10)
    for end in cuts + [bytes.count] {
      let verdict: String? = bytes.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return nil }
        switch parser.parse(base, end) {
        case .incomplete: return nil
        case .fault(let fault): return "\(fault.status)"
        case .head(let head, let length):
          let request = head.request
          let fields = request.headers.fields.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
          return "\(request.method) \(request.path) ?\(request.query ?? "-") @\(request.authority) [\(fields)] "
            + "\(head.framing) \(head.expectation) \(head.coding) \(head.closes ? "close" : "keep")"
            + (length == bytes.count ? "" : " and \(bytes.count - length) bytes left over")
        }
      }
      if let verdict { return verdict }
    }
    return "incomplete"
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var head: String
    var verdict: String
    var testDescription: String { name }
  }

  static let h = "Host: a\r\n"
  static func get(_ fields: String) -> String { "GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n" }

  static let accepted: [Row] = [
    Row(
      name: "plain", head: "GET /Users/1?a=b HTTP/1.1\r\nHost: a.example:80\r\n\r\n",
      verdict: "GET /Users/1 ?a=b @a.example:80 [host=a.example:80] none none identity keep"),
    Row(
      name: "empty line first", head: "\r\nGET / HTTP/1.1\r\n\(h)\r\n",
      verdict: "GET / ?- @a [host=a] none none identity keep"),
    Row(
      name: "blanks around a value", head: get("X-Y:\t v w \t\r\n"),
      verdict: "GET / ?- @a [host=a,x-y=v w] none none identity keep"),
    Row(
      name: "empty value", head: get("X:\r\n"), verdict: "GET / ?- @a [host=a,x=] none none identity keep"),
    Row(
      name: "absolute target", head: "GET http://b:81/x?y HTTP/1.1\r\n\(h)\r\n",
      verdict: "GET /x ?y @b:81 [host=a] none none identity keep"),
    Row(
      name: "absolute target without a path", head: "GET HTTP://b?y HTTP/1.1\r\n\(h)\r\n",
      verdict: "GET / ?y @b [host=a] none none identity keep"),
    Row(
      name: "asterisk", head: "OPTIONS * HTTP/1.1\r\n\(h)\r\n",
      verdict: "OPTIONS * ?- @a [host=a] none none identity keep"),
    Row(
      name: "a method of one's own", head: "M-SEARCH / HTTP/1.1\r\n\(h)\r\n",
      verdict: "M-SEARCH / ?- @a [host=a] none none identity keep"),
    Row(
      name: "HTTP/1.0 without Host", head: "GET / HTTP/1.0\r\n\r\n",
      verdict: "GET / ?- @ [] none none identity close"),
    Row(
      name: "HTTP/1.0 has no expectation", head: "GET / HTTP/1.0\r\nExpect: 100-continue\r\n\r\n",
      verdict: "GET / ?- @ [expect=100-continue] none none identity close"),
    Row(
      name: "HTTP/1.2", head: "GET / HTTP/1.2\r\n\(h)\r\n",
      verdict: "GET / ?- @a [host=a] none none identity keep"),
    Row(
      name: "close among others", head: get("Connection: foo , Close\r\n"),
      verdict: "GET / ?- @a [host=a,connection=foo , Close] none none identity close"),
    Row(
      name: "closed is not close", head: get("Connection: closed\r\n"),
      verdict: "GET / ?- @a [host=a,connection=closed] none none identity keep"),
    Row(
      name: "length", head: get("Content-Length: 007\r\n"),
      verdict: "GET / ?- @a [host=a,content-length=007] length(7) none identity keep"),
    Row(
      name: "length beyond counting", head: get("Content-Length: 18446744073709551621\r\n"),
      verdict: "GET / ?- @a [host=a,content-length=18446744073709551621] length(\(Int.max)) none identity keep"),
    Row(
      name: "chunked in mixed case", head: get("tRANSFER-eNCODING:\tcHuNkEd \r\n"),
      verdict: "GET / ?- @a [host=a,transfer-encoding=cHuNkEd] chunked none identity keep"),
    Row(
      name: "gzip content", head: get("Content-Encoding: GZIP\r\n"),
      verdict: "GET / ?- @a [host=a,content-encoding=GZIP] none none gzip keep"),
    Row(
      name: "two content codings", head: get("Content-Encoding: gzip\r\nContent-Encoding: identity\r\n"),
      verdict: "GET / ?- @a [host=a,content-encoding=gzip,content-encoding=identity] none none unknown keep"),
    Row(
      name: "continue", head: get("Expect: 100-Continue\r\n"),
      verdict: "GET / ?- @a [host=a,expect=100-Continue] none continue identity keep"),
    Row(
      name: "another expectation", head: get("Expect: 100-continue\r\nExpect: x\r\n"),
      verdict: "GET / ?- @a [host=a,expect=100-continue,expect=x] none unknown identity keep"),
    Row(
      name: "IPv6 host", head: "GET / HTTP/1.1\r\nHost: [::1]:81\r\n\r\n",
      verdict: "GET / ?- @[::1]:81 [host=[::1]:81] none none identity keep"),
    Row(name: "half a head", head: "GET / HTTP/1.1\r\nHost: a\r\n", verdict: "incomplete"),
    Row(name: "nothing", head: "", verdict: "incomplete"),
  ]

  static let refused: [Row] = [
    ("no Host", "GET / HTTP/1.1\r\n\r\n", 400),
    ("two Hosts", get("Host: a\r\n"), 400),
    ("two Hosts in HTTP/1.0", "GET / HTTP/1.0\r\n\(h)\(h)\r\n", 400),
    ("empty Host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", 400),
    ("user in Host", "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", 400),
    ("blank in Host", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400),
    ("port of letters", "GET / HTTP/1.1\r\nHost: a:b\r\n\r\n", 400),
    ("port beyond the last", "GET / HTTP/1.1\r\nHost: a:65536\r\n\r\n", 400),
    ("port of six digits", "GET / HTTP/1.1\r\nHost: a:000080\r\n\r\n", 400),
    ("port beyond the last in a target", "GET http://a:99999/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("open bracket", "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", 400),
    ("absolute target without Host", "GET http://a/ HTTP/1.1\r\n\r\n", 400),
    ("absolute target with a user", "GET http://u@a/ HTTP/1.1\r\n\(h)\r\n", 400),
    ("absolute target without authority", "GET http:///x HTTP/1.1\r\n\(h)\r\n", 400),
    ("target without a slash", "GET x HTTP/1.1\r\n\(h)\r\n", 400),
    ("asterisk for GET", "GET * HTTP/1.1\r\n\(h)\r\n", 400),
    ("fragment", "GET /#x HTTP/1.1\r\n\(h)\r\n", 400),
    ("control in the target", "GET /\u{1} HTTP/1.1\r\n\(h)\r\n", 400),
    ("no target", "GET  HTTP/1.1\r\n\(h)\r\n", 400),
    ("four words", "GET / x HTTP/1.1\r\n\(h)\r\n", 400),
    ("no version", "GET /\r\n\r\n", 400),
    ("version in lower case", "GET / http/1.1\r\n\(h)\r\n", 400),
    ("blank after the version", "GET / HTTP/1.1 \r\n\(h)\r\n", 400),
    ("HTTP/2.0", "GET / HTTP/2.0\r\n\(h)\r\n", 505),
    ("CONNECT", "CONNECT a:443 HTTP/1.1\r\n\(h)\r\n", 501),
    ("bracket in the method", "G(T / HTTP/1.1\r\n\(h)\r\n", 400),
    ("blank first", " GET / HTTP/1.1\r\n\(h)\r\n", 400),
    ("TLS greeting", "\u{16}\u{3}\u{1}", 400),
    ("two empty lines", "\r\n\r\n", 400),
    ("bare LF after the request line", "GET / HTTP/1.1\n\(h)\r\n", 400),
    ("bare LF at the end", "GET / HTTP/1.1\r\n\(h)\n", 400),
    ("bare CR in the request line", "GET / HTTP/1.1\rX: y\r\n\(h)\r\n", 400),
    ("bare CR in a value", get("X: a\rb\r\n"), 400),
    ("NUL in a value", get("X: a\0b\r\n"), 400),
    ("NUL in a name", get("X\0: a\r\n"), 400),
    ("blank before the colon", get("X : a\r\n"), 400),
    ("no colon", get("X\r\n"), 400),
    ("no name", get(": a\r\n"), 400),
    ("folded line", get("X: a\r\n b\r\n"), 400),
    ("eleven fields", get(String(repeating: "X: y\r\n", count: 10)), 431),
    ("head of 4097 bytes", get("X: " + String(repeating: "a", count: 4096 - 31) + "\r\n"), 431),
    ("request line of 4096 bytes", "GET /" + String(repeating: "a", count: 4091), 414),
    ("plus sign in the length", get("Content-Length: +5\r\n"), 400),
    ("two credentials", get("Authorization: Bearer a\r\nAuthorization: Bearer b\r\n"), 400),
    ("the same credentials twice", get("Authorization: Bearer a\r\nauthorization: Bearer a\r\n"), 400),
    ("list of lengths", get("Content-Length: 5, 5\r\n"), 400),
    ("empty length", get("Content-Length:\r\n"), 400),
    ("the same length twice", get("Content-Length: 5\r\nContent-Length: 5\r\n"), 400),
    ("length and chunks", get("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"), 400),
    ("chunked in HTTP/1.0", "GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    ("gzip, chunked", get("Transfer-Encoding: gzip, chunked\r\n"), 501),
    ("chunked, gzip", get("Transfer-Encoding: chunked, gzip\r\n"), 400),
    ("chunked twice", get("Transfer-Encoding: chunked, chunked\r\n"), 400),
    ("chunked in two fields", get("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), 400),
    ("identity", get("Transfer-Encoding: identity\r\n"), 400),
    ("empty coding", get("Transfer-Encoding:\r\n"), 400),
  ].map { Row(name: $0.0, head: $0.1, verdict: "\($0.2)") }

  @Test("In one piece", arguments: accepted + refused)
  func whole(_ row: Row) {
    #expect(Self.verdict(Array(row.head.utf8)) == row.verdict)
  }

  @Test("Cut in two at every byte, and byte by byte", arguments: accepted + refused)
  func cut(_ row: Row) {
    let bytes = Array(row.head.utf8)
    guard !bytes.isEmpty else { return }
    for cut in 1..<max(bytes.count, 2) {
      #expect(Self.verdict(bytes, cuts: [cut]) == row.verdict, "cut at \(cut)")
    }
    #expect(Self.verdict(bytes, cuts: Array(0..<bytes.count)) == row.verdict)
  }
}
