import HTTPMessage
import Testing

@testable import HTTPServer

/// What the transport takes at most where nothing is set: exactly that much, and one more.
@Suite("Limits of the transport")
struct LimitTests {
  private static let fields = "HTTP/1.1\r\nHost: h\r\n"
  private static let kibibytes32 = 32 << 10

  /// What becomes of the bytes, which must not depend on how they are cut.
  private static func verdict(_ text: String, cutAt cuts: [Int] = []) throws -> String {
    var verdicts: Set<String> = []
    let bytes = Array(text.utf8)
    for cut in [bytes.count, bytes.count - 1, bytes.count - 2] + cuts {
      let rig = try Rig()
      rig.feed(bytes[..<cut])
      rig.feed(bytes[cut...])
      let statuses = try #require(rig.statuses()).map { "\($0) " }.joined()
      verdicts.insert(statuses + (rig.takesMore ? "open" : "closed"))
    }
    return verdicts.sorted().joined(separator: ", ")
  }

  private static func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

  // MARK: - Heads

  @Test("A head of 32 KiB is read, an empty line in front and all line ends included; of one byte more it is 431")
  func head() throws {
    for start in ["GET /a \(Self.fields)X: ", "\r\nGET /a \(Self.fields)X: "] {
      func head(_ count: Int) -> String { start + Self.letters(count - start.utf8.count - 4) + "\r\n\r\n" }
      #expect(try Self.verdict(head(Self.kibibytes32)) == "200 open")
      #expect(try Self.verdict(head(Self.kibibytes32 + 1), cutAt: [Self.kibibytes32]) == "431 closed")
      // As soon as that much has come without an end.
      let rig = try Rig()
      rig.feed(Array(head(Self.kibibytes32 + 1).utf8)[..<(Self.kibibytes32 - 1)])
      #expect(rig.statuses() == [])
      rig.feed("a")
      #expect(rig.statuses() == [431])
    }
  }

  @Test("A request line may take the whole head; one that is longer is 414")
  func requestLine() throws {
    func line(_ count: Int) -> String { "GET /" + Self.letters(count - 16) + " HTTP/1.1\r\n" }
    let host = "Host: h\r\n\r\n"
    #expect(line(100).utf8.count == 100)
    #expect(try Self.verdict(line(Self.kibibytes32 - host.utf8.count) + host) == "200 open")
    #expect(try Self.verdict(line(Self.kibibytes32) + host, cutAt: [Self.kibibytes32]) == "431 closed")
    #expect(try Self.verdict(line(Self.kibibytes32 + 1) + host, cutAt: [Self.kibibytes32]) == "414 closed")
  }

  @Test("100 header fields are read, 101 are 431")
  func headerFields() throws {
    func head(_ count: Int) -> String {
      "GET /a \(Self.fields)" + String(repeating: "X: y\r\n", count: count - 1) + "\r\n"
    }
    #expect(try Self.verdict(head(100)) == "200 open")
    #expect(try Self.verdict(head(101)) == "431 closed")
  }

  // MARK: - Chunks

  private static func chunked(_ chunks: String) -> String {
    "POST /p \(fields)Transfer-Encoding: chunked\r\n\r\n\(chunks)"
  }

  @Test("100 trailer fields are read, 101 are 431")
  func trailerFields() throws {
    func body(_ count: Int) -> String {
      Self.chunked("1\r\na\r\n0\r\n" + String(repeating: "X: y\r\n", count: count) + "\r\n")
    }
    #expect(try Self.verdict(body(100)) == "200 open")
    #expect(try Self.verdict(body(101)) == "431 closed")
  }

  @Test("Trailer fields of 32 KiB are read, all line ends included; of one byte more they are 431")
  func trailerBytes() throws {
    func body(_ count: Int) -> String {
      Self.chunked("1\r\na\r\n0\r\nX: " + Self.letters(count - 7) + "\r\n\r\n")
    }
    #expect(try Self.verdict(body(Self.kibibytes32)) == "200 open")
    #expect(try Self.verdict(body(Self.kibibytes32 + 1)) == "431 closed")
  }

  @Test("Chunk extensions of 16 KiB, over all chunks, are read; of one byte more they are 400")
  func chunkExtensions() throws {
    func body(_ count: Int) -> String {
      Self.chunked("1;\(Self.letters(count - 5))\r\na\r\n1;\(Self.letters(5))\r\na\r\n0\r\n\r\n")
    }
    #expect(try Self.verdict(body(16 << 10)) == "200 open")
    #expect(try Self.verdict(body((16 << 10) + 1)) == "400 closed")
  }

  // MARK: - Bodies

  @Test("256 gzip members are read, 257 are 400, though they give no byte")
  func gzipMembers() throws {
    let member = try #require(Gzip().compress([]))
    for (count, status) in [(256, 200), (257, 400)] {
      let rig = try Rig()
      let body = Array(repeating: member, count: count).flatMap { $0 }
      rig.feed("POST /large \(Self.fields)Content-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n")
      rig.feed(body[...])
      #expect(rig.statuses() == [status])
      #expect(rig.takesMore)
    }
  }

  @Test("Of somebody unknown a body of 4 KiB is read, and not a byte more; of a compressed one nothing")
  func unknownClient() throws {
    let head = "POST /large \(Self.fields)X-Refuse: y\r\n"
    for (field, isRefused) in [
      ("Content-Length: 4096", false), ("Content-Length: 4097", true),
      ("Content-Length: 1\r\nContent-Encoding: gzip", true), ("Content-Length: 1\r\nExpect: 100-continue", true),
      ("Transfer-Encoding: chunked\r\nContent-Encoding: gzip", true),
    ] {
      let rig = try Rig()
      rig.feed(head + field + "\r\n\r\n")
      #expect(rig.statuses() == (isRefused ? [401] : []), "\(field)")
      #expect(rig.takesMore != isRefused, "\(field)")
      if !isRefused {
        rig.feed(Self.letters(4096))
        // What the responder says of a whole request is its own affair.
        #expect(rig.desk.log.count == 1 && rig.takesMore)
      }
    }
    let rig = try Rig()
    rig.feed(head + "Transfer-Encoding: chunked\r\n\r\n2000\r\n" + Self.letters(4096))
    #expect(rig.statuses() == [] && rig.takesMore)
    rig.feed("a")
    #expect(rig.statuses() == [401] && !rig.takesMore && rig.desk.log.isEmpty)
  }

  @Test(
    "A body is 503 where its account holds a third already, or all hold the limit; up to 4 KiB are not counted",
    arguments: [
      (33_333, 1, 4097, 200), (33_334, 1, 4097, 503), (33_334, 1, 4096, 200), (33_334, 2, 4097, 200),
      (99_999, 2, 4097, 200), (100_000, 2, 4097, 503), (100_000, 2, 4096, 200),
    ])
  func bodies(_ held: Int, _ account: Int, _ length: Int, _ status: Int) throws {
    let ledger = ByteLedger(limit: 100_000)
    let hold = ledger.hold(held, for: 1)
    let rig = try Rig(bodies: ledger)
    rig.feed("POST /large \(Self.fields)X-Account: \(account)\r\nContent-Length: \(length)\r\n\r\n")
    rig.feed(Self.letters(length))
    #expect(rig.statuses() == [status])
    #expect(ledger.total == held)
    withExtendedLifetime(hold) {}
  }

  // MARK: - Requests that wait

  /// How many bytes were read that have to wait.
  private func waiting(_ rig: Rig) -> Int { rig.connection.input.count }

  @Test("Behind a request that is worked on 16 KiB are read, and not a byte more until it is answered")
  func backlog() throws {
    let rig = try Rig()
    rig.feed("GET /hold \(Self.fields)\r\n")
    let next = "GET /next \(Self.fields)X: "
    rig.feed(next + Self.letters((16 << 10) - 1 - next.utf8.count))
    #expect(waiting(rig) == (16 << 10) - 1)
    rig.feed("a")
    #expect(waiting(rig) == 16 << 10)
    rig.feed("\r\n\r\n")
    #expect(waiting(rig) == 16 << 10)
    rig.desk.release()
    rig.turn()
    #expect(rig.statuses() == [201, 200])
    #expect(waiting(rig) == 0)
  }

  @Test("What came in one piece with the request before waits as well, 64 KiB at most")
  func backlogInOnePiece() throws {
    let rig = try Rig()
    let hold = "GET /hold \(Self.fields)\r\n"
    let next = "GET /next \(Self.fields)\r\n"
    rig.feed(hold + String(repeating: next, count: (96 << 10) / next.utf8.count))
    #expect(waiting(rig) > 16 << 10 && waiting(rig) <= 64 << 10)
  }
}
