import Glibc
import HTTPMessage
import Testing

@testable import HTTPServer

@Suite("A server over real sockets", .serialized)
struct ServerTests {
  static func get(_ path: String = "/a", _ fields: String = "") -> String {
    "GET \(path) HTTP/1.1\r\nHost: h\r\n\(fields)\r\n"
  }

  static func post(_ body: [UInt8], _ fields: String = "", path: String = "/p") -> [UInt8] {
    Array("POST \(path) HTTP/1.1\r\nHost: h\r\n\(fields)Content-Length: \(body.count)\r\n\r\n".utf8) + body
  }

  // MARK: - Answers

  @Test("A kept-alive connection serves request after request, each with Date and Content-Length")
  func keepAlive() throws {
    let server = try TestServer()
    let client = try server.client()
    for _ in 0..<20 {
      let answer = try client.ask(Self.get())
      #expect(answer.status == 200)
      #expect(answer.text == "ok")
      #expect(answer.headers["content-length"] == "2")
      #expect(answer.headers["date"]?.hasSuffix(" GMT") == true)
      #expect(answer.headers["connection"] == nil)
    }
  }

  @Test("Head and body of an answer leave in one write: nobody waits for a delayed acknowledgement between them")
  func oneWrite() throws {
    let server = try TestServer()
    let client = try server.client()
    for _ in 0..<100 { #expect(try client.ask(Self.get()).text == "ok") }
    #expect(client.reads == 100)
  }

  @Test("Pipelined requests behind a held answer wait for it and keep their order")
  func pipelineBehindTicket() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send(Self.get("/1") + Self.get("/hold") + Self.get("/2") + Self.get("/hold") + Self.get("/3"))
    server.waitForTickets(1)
    #expect(try client.answers(1).map(\.text) == ["ok"])
    #expect(server.desk.log == ["GET /1 ", "GET /hold "])
    server.desk.release()
    server.waitForTickets(1)
    #expect(try client.answers(3).map(\.text) == ["ok", "later", "ok"])
    server.desk.release()
    #expect(try client.answers(5).map(\.text) == ["ok", "later", "ok", "later", "ok"])
  }

  @Test("Hundreds of pipelined requests are all answered, also when the client has closed its side behind them")
  func longPipeline() throws {
    let server = try TestServer()
    let client = try server.client()
    let other = String(decoding: Self.post(Array("xyz".utf8)), as: UTF8.self)
    client.send(String(repeating: Self.get() + other, count: 300))
    client.finishSending()
    let answers = try client.rest()
    #expect(answers.map(\.text) == Array(repeating: ["ok", "xyz"], count: 300).flatMap { $0 })
  }

  @Test("A ticket's second answer, and one for a connection that has gone, are dropped")
  func lateTickets() throws {
    let server = try TestServer()
    let gone = try server.client()
    gone.send(Self.get("/hold"))
    server.waitForTickets(1)
    let client = try server.client()
    client.send(Self.get("/hold"))
    server.waitForTickets(2)
    shutdown(gone.socket, Int32(SHUT_RDWR))
    server.desk.release()
    #expect(try client.answers(1).map(\.status) == [201])
    #expect(try client.ask(Self.get()).status == 200)
  }

  @Test("A ticket tells that its client has gone: at a reset, soon after the last byte, and at the end of the server")
  func abandonedTickets() throws {
    let server = try TestServer {
      $0.halfClosedDeadline = 50
      $0.drainDeadline = 50
    }
    let (reset, closed, open) = (try server.client(), try server.client(), try server.client())
    for client in [reset, closed, open] { client.send(Self.get("/hold")) }
    server.waitForTickets(3)
    #expect(server.desk.abandoned == 0)
    reset.reset()
    server.wait { server.desk.abandoned == 1 }
    closed.finishSending()
    server.wait { server.desk.abandoned == 2 }
    #expect(server.desk.abandoned == 2)
    server.server.stop()
    #expect(server.desk.abandoned == 3)
  }

  @Test("A client that has sent its last byte is answered if that comes soon")
  func halfClosed() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send(Self.get("/hold"))
    client.finishSending()
    server.waitForTickets(1)
    server.desk.release()
    #expect(try client.rest().map(\.status) == [201])
  }

  @Test("A ticket that is let go of answers 500")
  func droppedTicket() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send(Self.get("/hold") + Self.get())
    server.waitForTickets(1)
    server.desk.forget()
    #expect(try client.answers(2).map(\.status) == [500, 200])
  }

  @Test("HEAD keeps the length and drops the body; 204 and 304 have neither")
  func withoutContent() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send("HEAD /text HTTP/1.1\r\nHost: h\r\n\r\n" + Self.get("/none") + Self.get("/unchanged") + Self.get())
    let answers = try client.answers(4, heads: [0])
    #expect(answers.map(\.status) == [200, 204, 304, 200])
    #expect(answers[0].headers["content-length"] == "\(TestResponder.text.count)")
    #expect(answers[1].headers["content-length"] == nil)
    #expect(answers[2].headers["content-length"] == nil)
    #expect(answers[2].headers["etag"] == "W/\"1\"")
  }

  @Test("A responder cannot break the head open, nor set the transport's own fields")
  func responseSplitting() throws {
    let server = try TestServer()
    let answer = try server.client().ask(Self.get("/split"))
    #expect(answer.headers["x-a"] == "b  X-B: c")
    #expect(answer.headers["content-length"] == "1")
    #expect(answer.headers["connection"] == nil)
  }

  @Test("100 Continue is sent where the body is waited for, and not where it is there")
  func continues() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
    #expect(try client.answers(1).map(\.status) == [100])
    client.send("abc")
    #expect(try client.answers(2).map(\.text) == ["", "abc"])
    let eager = try server.client()
    eager.send(Self.post(Array("abc".utf8), "Expect: 100-continue\r\n"))
    #expect(try eager.answers(1).map(\.status) == [200])
  }

  @Test("A body that is large, or held back, is not read where the head is refused")
  func refusals() throws {
    let server = try TestServer()
    for fields in [
      "Content-Length: 3\r\nExpect: 100-continue\r\n", "Content-Length: 4097\r\n",
      "Content-Length: 3\r\nContent-Encoding: gzip\r\n",
    ] {
      let client = try server.client()
      client.send("POST /large HTTP/1.1\r\nHost: h\r\nX-Refuse: y\r\n\(fields)\r\n")
      let answers = try client.rest()
      #expect(answers.map(\.status) == [401])
      #expect(answers.last?.headers["connection"] == "close")
    }
    let client = try server.client()
    client.send("POST /large HTTP/1.1\r\nHost: h\r\nX-Refuse: y\r\nTransfer-Encoding: chunked\r\n\r\n20000\r\n")
    client.send([UInt8](repeating: 0x61, count: 0x1FFFF))
    #expect(try client.rest().map(\.status) == [401])
    // Whole chunks in one piece are asked about as well.
    let whole = try server.client()
    whole.send(
      Array("POST /large HTTP/1.1\r\nHost: h\r\nX-Refuse: y\r\nTransfer-Encoding: chunked\r\n\r\n1001\r\n".utf8)
        + [UInt8](repeating: 0x61, count: 0x1001) + Array("\r\n0\r\n\r\n".utf8))
    #expect(try whole.rest().map(\.status) == [401])
    #expect(server.desk.log.isEmpty)
  }

  @Test("The client's address is told without its port", arguments: ["127.0.0.1", "localhost", "::1", "[::1]", "::"])
  func addresses(_ host: String) throws {
    let server = try TestServer { $0.host = host }
    let v6 = host.contains(":")
    let client = try Client(port: server.port, v6: v6)
    #expect(try client.ask(Self.get("/peer")).text == (v6 ? "::1" : "127.0.0.1"))
    if host == "::" {
      #expect(try Client(port: server.port).ask(Self.get("/peer")).text == "127.0.0.1")
    }
  }

  // MARK: - gzip

  @Test("An answer is compressed for those who take gzip, and varies for all")
  func gzipAnswers() throws {
    let server = try TestServer()
    let client = try server.client()
    let plain = try client.ask(Self.get("/text"))
    #expect(plain.body == TestResponder.text)
    #expect(plain.headers["vary"] == "Accept-Encoding")
    let packed = try client.ask(Self.get("/text", "Accept-Encoding: br, gzip\r\n"))
    #expect(packed.headers["content-encoding"] == "gzip")
    #expect(packed.headers["vary"] == "Accept-Encoding")
    #expect(packed.headers["etag"] == "W/\"1\"")
    #expect(packed.body.count < plain.body.count / 4)
    #expect(try Gzip().expand(packed.body, limit: 1 << 20).get() == TestResponder.text)
    let refused = try client.ask(Self.get("/text", "Accept-Encoding: gzip;q=0\r\n"))
    #expect(refused.headers["content-encoding"] == nil)
    let short = try client.ask(Self.get("/a", "Accept-Encoding: gzip\r\n"))
    #expect(short.headers["content-encoding"] == nil && short.headers["vary"] == nil)
  }

  @Test("No answer is compressed where that is switched off")
  func gzipOff() throws {
    let server = try TestServer { $0.gzip = false }
    let answer = try server.client().ask(Self.get("/text", "Accept-Encoding: gzip\r\n"))
    #expect(answer.headers["content-encoding"] == nil && answer.headers["vary"] == nil)
    #expect(answer.body == TestResponder.text)
  }

  @Test("A compressed body arrives expanded; one that grows too large or is damaged is refused, and the next is served")
  func gzipBodies() throws {
    let server = try TestServer()
    let client = try server.client()
    let body = Array("{\"a\":1}".utf8)
    let packed = try #require(Gzip().compress(body))
    client.send(Self.post(packed, "Content-Encoding: gzip\r\n"))
    #expect(try client.answers(1).last?.body == body)
    let bomb = try #require(Gzip().compress([UInt8](repeating: 0x20, count: 64 << 10)))
    client.send(Self.post(bomb, "Content-Encoding: gzip\r\n"))
    client.send(Self.post(Array(packed.dropLast()), "Content-Encoding: gzip\r\n"))
    client.send(Self.get())
    #expect(try client.answers(4).map(\.status) == [200, 413, 400, 200])
  }

  // MARK: - Limits

  @Test("A body of megabytes is taken, and an answer of megabytes given, however slowly it is read")
  func large() throws {
    let server = try TestServer()
    let client = try Client(port: server.port, receiveBuffer: 4096)
    let body = [UInt8](repeating: 0x62, count: 3 << 20)
    let sender = try Client(port: server.port)
    sender.send(Self.post(body, path: "/large"))
    #expect(try sender.answers(1).last?.body == body)
    client.send(Self.get("/megabytes") + Self.get())
    let answers = try client.answers(2)
    #expect(answers[0].body.count == 4 << 20)
    #expect(answers[1].text == "ok")
  }

  @Test("A client that sends and never reads is not read from any more")
  func backPressure() throws {
    let server = try TestServer()
    let client = try Client(port: server.port, receiveBuffer: 4096)
    client.send(String(repeating: Self.get("/megabytes"), count: 64))
    let other = try server.client()
    #expect(try other.ask(Self.get()).status == 200)
    // One answer fills the socket; the rest must wait.
    #expect(server.desk.log.filter { $0 == "GET /megabytes " }.count < 4)
  }

  @Test("A 413 reaches a client that sends its whole body before it reads")
  func lingering() throws {
    let server = try TestServer()
    let client = try server.client()
    #expect(client.send(Self.post([UInt8](repeating: 0x20, count: 5 << 20))))
    let answers = try client.rest()
    #expect(answers.map(\.status) == [413])
    #expect(answers.last?.headers["connection"] == "close")
    #expect(!client.wasReset)
  }

  @Test("A head that is too large is refused", arguments: [("X: ", 431), ("", 414)])
  func heads(_ prefix: String, _ status: Int) throws {
    let server = try TestServer()
    let client = try server.client()
    let start = prefix.isEmpty ? "GET /" : "GET / HTTP/1.1\r\nHost: h\r\n" + prefix
    client.send(start + String(repeating: "a", count: 256 << 10))
    #expect(try client.rest().map(\.status) == [status])
  }

  @Test("Connections beyond the cap are turned away with 503, and let in again when one has gone")
  func connectionCap() throws {
    let server = try TestServer { $0.maxConnections = 2 }
    let first = try server.client()
    var second: Client? = try server.client()
    #expect(try first.ask(Self.get()).status == 200)
    #expect(try second?.ask(Self.get()).status == 200)
    #expect(try server.client().rest().map(\.status) == [503])
    second = nil
    var status = 503
    server.wait {
      status = (try? server.client().ask(Self.get()).status) ?? 503
      return status == 200
    }
    #expect(status == 200)
  }

  @Test("Connections of one client beyond its cap are turned away")
  func clientCap() throws {
    let server = try TestServer { $0.maxConnectionsPerClient = 1 }
    let first = try server.client()
    #expect(try first.ask(Self.get()).status == 200)
    #expect(try server.client().rest().map(\.status) == [503])
    #expect(try first.ask(Self.get()).status == 200)
  }

  // MARK: - Deadlines

  @Test(
    "A head, and a body, that drip in are cut off with 408",
    arguments: [
      "GET / HTTP/1.1\r\nHost: h\r\nX: ",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 900\r\n\r\n",
    ])
  func drips(_ start: String) throws {
    let server = try TestServer {
      $0.headDeadline = 100
      $0.bodyDeadline = 100
    }
    let client = try server.client()
    client.send(start)
    server.wait {
      client.send("a")
      var poll = pollfd(fd: client.socket, events: Int16(POLLIN), revents: 0)
      return Glibc.poll(&poll, 1, 10) > 0
    }
    #expect(try client.rest().map(\.status) == [408])
  }

  @Test("A connection without a request is closed without an answer")
  func idleConnections() throws {
    let server = try TestServer {
      $0.headDeadline = 100
      $0.idleDeadline = 100
    }
    #expect(try server.client().rest().isEmpty)
    let client = try server.client()
    client.send(Self.get())
    #expect(try client.rest().map(\.status) == [200])
  }

  @Test("A client that does not take its answer is cut off")
  func writeDeadline() throws {
    let server = try TestServer { $0.writeDeadline = 100 }
    let client = try Client(port: server.port, receiveBuffer: 4096)
    client.send(String(repeating: Self.get("/megabytes"), count: 4))
    server.wait {
      var poll = pollfd(fd: client.socket, events: Int16(POLLHUP), revents: 0)
      return Glibc.poll(&poll, 1, 1) > 0 && poll.revents & Int16(POLLHUP | POLLERR) != 0
    }
    while client.read() {}
    #expect(client.wasReset || client.hasEnded)
    #expect(throws: (any Error).self) { try client.answers(4) }
  }

  @Test("A ticket's answer may take longer than every deadline")
  func ticketsHaveNoDeadline() throws {
    let server = try TestServer {
      $0.headDeadline = 40
      $0.bodyDeadline = 40
      $0.idleDeadline = 40
    }
    let client = try server.client()
    client.send(Self.get("/hold"))
    server.waitForTickets(1)
    usleep(200_000)
    server.desk.release()
    #expect(try client.answers(1).map(\.status) == [201])
  }

  @Test("The responder is told once that nothing is going on")
  func idleCallback() throws {
    let server = try TestServer { $0.idleCallback = 20 }
    let client = try server.client()
    #expect(try client.ask(Self.get()).status == 200)
    server.wait { server.desk.idles > 0 }
    usleep(100_000)
    #expect(server.desk.idles == 1)
    #expect(try client.ask(Self.get()).status == 200)
    server.wait { server.desk.idles > 1 }
    #expect(server.desk.idles == 2)
  }
}
