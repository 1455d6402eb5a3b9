import HTTPMessage
import TestSupport
import Testing

@testable import HTTPServer

@Suite("One connection, its bytes cut in every way")
struct ConnectionTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: String
    /// The statuses, then `open` or `close`.
    var verdict: String
    /// The requests that were carried out.
    var log: [String] = []
    /// Whether the client closes its sending side behind the bytes.
    var ends = false
    var testDescription: String { name }
  }

  static let get = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"
  static let chunked = "Transfer-Encoding: chunked\r\n"

  static func post(_ fields: String = "", _ body: String = "", path: String = "/p") -> String {
    "POST \(path) HTTP/1.1\r\nHost: h\r\n\(fields)\r\n\(body)"
  }

  static func sized(_ body: String, _ fields: String = "", path: String = "/p") -> String {
    post("\(fields)Content-Length: \(body.utf8.count)\r\n", body, path: path)
  }

  static let evil = "GET /evil HTTP/1.1\r\nHost: h\r\n\r\n"

  static let rows: [Row] = [
    Row(name: "two requests", bytes: get + get, verdict: "200 200 open", log: ["GET /a ", "GET /a "]),
    Row(
      name: "body, then a request", bytes: sized("xyz") + get, verdict: "200 200 open", log: ["POST /p xyz", "GET /a "]),
    Row(
      name: "empty line behind a body", bytes: sized("x") + "\r\n" + get, verdict: "200 200 open",
      log: ["POST /p x", "GET /a "]),
    Row(
      name: "body of a GET",
      bytes: "GET /a HTTP/1.1\r\nHost: h\r\nContent-Length: \(evil.utf8.count)\r\n\r\n" + evil + get,
      verdict: "200 200 open", log: ["GET /a \(evil)", "GET /a "]),
    Row(
      name: "length of zero", bytes: post("Content-Length: 0\r\n") + get, verdict: "200 200 open",
      log: ["POST /p ", "GET /a "]),
    Row(
      name: "close", bytes: "GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n" + evil, verdict: "200 close",
      log: ["GET /a "]),
    Row(
      name: "closed by the responder", bytes: "GET /close HTTP/1.1\r\nHost: h\r\n\r\n" + evil, verdict: "200 close",
      log: ["GET /close "]),
    Row(name: "HTTP/1.0", bytes: "GET /a HTTP/1.0\r\n\r\n" + evil, verdict: "200 close", log: ["GET /a "]),
    Row(
      name: "204 and 304",
      bytes: "GET /none HTTP/1.1\r\nHost: h\r\n\r\nGET /unchanged HTTP/1.1\r\nHost: h\r\n\r\n" + get,
      verdict: "204 304 200 open", log: ["GET /none ", "GET /unchanged ", "GET /a "]),
    Row(
      name: "no answer given", bytes: "GET /silence HTTP/1.1\r\nHost: h\r\n\r\n" + get, verdict: "500 200 open",
      log: ["GET /silence ", "GET /a "]),
    Row(name: "half-close behind a request", bytes: get, verdict: "200 close", log: ["GET /a "], ends: true),
    Row(name: "half-close within a head", bytes: "GET /a HTTP/1.1\r\nHost", verdict: "400 close", ends: true),
    Row(
      name: "half-close within a body", bytes: post("Content-Length: 5\r\n", "1234"), verdict: "400 close", ends: true),
    Row(name: "half-close within chunks", bytes: post(chunked, "1\r\nx\r\n0\r\n"), verdict: "400 close", ends: true),
    Row(
      name: "malformed behind two", bytes: get + get + "GET /a HTTP/1.1\r\nX : y\r\n\r\n" + evil,
      verdict: "200 200 400 close",
      log: ["GET /a ", "GET /a "]),

    Row(
      name: "chunks", bytes: post(chunked, "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n") + get, verdict: "200 200 open",
      log: ["POST /p abcde", "GET /a "]),
    Row(
      name: "chunk extensions", bytes: post(chunked, "3;a=1;b=\"x;y\"\r\nabc\r\n0;c\r\n\r\n") + get,
      verdict: "200 200 open",
      log: ["POST /p abc", "GET /a "]),
    Row(
      name: "leading zeros and capitals", bytes: post(chunked, "000A\r\n0123456789\r\n000\r\n\r\n") + get,
      verdict: "200 200 open",
      log: ["POST /p 0123456789", "GET /a "]),
    Row(
      name: "trailers", bytes: post(chunked, "1\r\na\r\n0\r\nX-T: v\r\nContent-Length: 9\r\n\r\n") + get,
      verdict: "200 200 open",
      log: ["POST /p a", "GET /a "]),
    Row(
      name: "no chunks", bytes: post(chunked, "0\r\n\r\n") + get, verdict: "200 200 open", log: ["POST /p ", "GET /a "]),
    Row(name: "chunk size with a sign", bytes: post(chunked, "+3\r\nabc\r\n0\r\n\r\n") + evil, verdict: "400 close"),
    Row(name: "chunk size without digits", bytes: post(chunked, ";a\r\n\r\n") + evil, verdict: "400 close"),
    Row(name: "chunk size with 0x", bytes: post(chunked, "0x3\r\nabc\r\n0\r\n\r\n") + evil, verdict: "400 close"),
    Row(name: "blank behind a chunk size", bytes: post(chunked, "3 \r\nabc\r\n0\r\n\r\n") + evil, verdict: "400 close"),
    Row(
      name: "chunk size of 2^64 and a bit", bytes: post(chunked, "10000000000000003\r\nabc\r\n0\r\n\r\n") + evil,
      verdict: "413 close"),
    Row(name: "bare LF behind a chunk size", bytes: post(chunked, "3\nabc\r\n0\r\n\r\n") + evil, verdict: "400 close"),
    Row(
      name: "bare LF in an extension", bytes: post(chunked, "3;a\nb\r\nabc\r\n0\r\n\r\n") + evil, verdict: "400 close"),
    Row(name: "data longer than its size", bytes: post(chunked, "3\r\nabcd\r\n0\r\n\r\n") + evil, verdict: "400 close"),
    Row(name: "nothing behind the data", bytes: post(chunked, "3\r\nabc0\r\n\r\n") + evil, verdict: "400 close"),
    Row(name: "bare LF at the chunks' end", bytes: post(chunked, "3\r\nabc\r\n0\r\n\n") + evil, verdict: "400 close"),
    Row(name: "trailer without a colon", bytes: post(chunked, "0\r\nnonsense\r\n\r\n") + evil, verdict: "400 close"),
    Row(name: "folded trailer", bytes: post(chunked, "0\r\nX: y\r\n z\r\n\r\n") + evil, verdict: "400 close"),
    Row(
      name: "101 trailers", bytes: post(chunked, "0\r\n" + String(repeating: "X:\r\n", count: 101) + "\r\n"),
      verdict: "431 close"),
    Row(
      name: "chunks over the limit",
      bytes: post(chunked, "1f4\r\n" + String(repeating: "a", count: 500) + "\r\n1f5\r\n") + evil,
      verdict: "413 close"),
    Row(
      name: "chunks at the limit",
      bytes: post(chunked, "3e8\r\n" + String(repeating: "a", count: 1000) + "\r\n0\r\n\r\n") + get,
      verdict: "200 200 open", log: ["POST /p " + String(repeating: "a", count: 100), "GET /a "]),

    Row(
      name: "body at the limit", bytes: sized(String(repeating: "a", count: 1000)) + get, verdict: "200 200 open",
      log: ["POST /p " + String(repeating: "a", count: 100), "GET /a "]),
    Row(name: "body over the limit", bytes: sized(String(repeating: "a", count: 1001)) + evil, verdict: "413 close"),
    Row(name: "unknown expectation", bytes: sized(evil, "Expect: x\r\n") + evil, verdict: "417 close"),
    Row(
      name: "expected body refused", bytes: sized(evil, "Expect: 100-continue\r\nX-Refuse: y\r\n") + evil,
      verdict: "401 close"),
    Row(
      name: "expected body over the limit", bytes: post("Content-Length: 1001\r\nExpect: 100-continue\r\n"),
      verdict: "413 close"),
    Row(
      name: "expected body", bytes: sized("abc", "Expect: 100-continue\r\n") + get, verdict: "200 200 open",
      log: ["POST /p abc", "GET /a "]),
    Row(name: "unknown content coding", bytes: sized(evil, "Content-Encoding: br\r\n") + evil, verdict: "415 close"),
    Row(
      name: "compressed body refused", bytes: sized(evil, "Content-Encoding: gzip\r\nX-Refuse: y\r\n") + evil,
      verdict: "401 close"),
    Row(
      name: "compressed chunks refused",
      bytes: post(chunked + "Content-Encoding: gzip\r\nX-Refuse: y\r\n", "1\r\na\r\n0\r\n\r\n") + evil,
      verdict: "401 close"),
    Row(
      name: "gzip that is none", bytes: sized(evil, "Content-Encoding: gzip\r\n") + get, verdict: "400 200 open",
      log: ["GET /a "]),
  ]

  /// Statuses without interim ones, whether the connection goes on, and what was carried out.
  static func verdict(_ bytes: [UInt8], cuts: [Int], ends: Bool = false) throws -> (String, [String]) {
    let rig = try Rig()
    var from = 0
    for cut in cuts + [bytes.count] {
      rig.feed(bytes[from..<cut])
      from = cut
    }
    if ends { rig.finish() }
    let answers = try #require(Answer.all(in: rig.output()))
    let statuses = answers.map(\.status).filter { $0 >= 200 }.map { "\($0) " }.joined()
    return (statuses + (rig.takesMore ? "open" : "close"), rig.desk.log)
  }

  @Test("In one piece", arguments: rows)
  func whole(_ row: Row) throws {
    let (verdict, log) = try Self.verdict(Array(row.bytes.utf8), cuts: [], ends: row.ends)
    #expect(verdict == row.verdict)
    #expect(log == row.log)
  }

  @Test("Cut in two at every byte, and byte by byte", arguments: rows)
  func cut(_ row: Row) throws {
    let bytes = Array(row.bytes.utf8)
    for cuts in (1..<bytes.count).map({ [$0] }) + [Array(1..<bytes.count)] {
      let (verdict, log) = try Self.verdict(bytes, cuts: cuts, ends: row.ends)
      #expect(verdict == row.verdict && log == row.log, "cut at \(cuts.prefix(2))")
    }
  }

  @Test("Random damage gives one verdict, however it is cut", arguments: 0..<8)
  func fuzz(_ seed: UInt64) throws {
    var random = Random(seed: seed &+ 20_251_130)
    let spice: [UInt8] = Array("\r\n\0 \t:;,/0123456789abcdefGET\u{7f}".utf8) + [0xFF, 0x80]
    for _ in 0..<150 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes += Array((Self.rows.randomElement(using: &random)?.bytes ?? "").utf8.prefix(600))
      }
      for _ in 0..<Int.random(in: 0...4, using: &random) where !bytes.isEmpty {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        let byte = spice.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[at] = byte
        case 1: bytes.insert(byte, at: at)
        case 2: bytes.remove(at: at)
        default: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...40, using: &random)))
        }
      }
      let whole = try Self.verdict(bytes, cuts: [])
      for pieces in 1...4 where bytes.count > 1 {
        let cuts = (0..<pieces).map { _ in Int.random(in: 1..<bytes.count, using: &random) }.sorted()
        let parts = try Self.verdict(bytes, cuts: cuts)
        #expect(parts == whole, "\(String(decoding: bytes, as: UTF8.self).debugDescription) cut at \(cuts)")
      }
    }
  }
}
