import Glibc
import HTTPMessage
import Synchronization
import Testing

@testable import HTTPServer

@Suite("Start and stop", .serialized)
struct ServerLifeTests {
  @Test("A port that somebody listens on is refused in words, with any number of threads", arguments: [1, 3])
  func addressInUse(_ threads: Int) throws {
    let first = try TestServer { $0.threads = 2 }
    let port = first.port
    let error = ServerError.addressInUse(host: "127.0.0.1", port: port)
    #expect(throws: error) {
      _ = try TestServer {
        $0.threads = threads
        $0.port = port
      }
    }
    #expect("\(error)".contains("127.0.0.1:\(port)"))
    #expect(try first.client().ask(ServerTests.get()).status == 200)
  }

  @Test("The port is free again behind a stop, although connections were open")
  func restart() throws {
    let first = try TestServer { $0.threads = 2 }
    let port = first.port
    let client = try first.client()
    #expect(try client.ask(ServerTests.get()).status == 200)
    first.server.stop()
    let second = try TestServer { $0.port = port }
    #expect(second.port == port)
    #expect(try second.client().ask(ServerTests.get()).status == 200)
  }

  @Test(
    "What is no address is refused", arguments: [("example.com", 0), ("", 0), ("127.0.0.1", 65536), ("127.0.0.1", -1)])
  func invalidAddress(_ host: String, _ port: Int) {
    #expect(throws: ServerError.invalidAddress(host: host, port: port)) {
      _ = try TestServer {
        $0.host = host
        $0.port = port
      }
    }
  }

  @Test("A responder that cannot be made stops the start, and the port is free")
  func responderFailure() throws {
    struct Refusal: Error {}
    var configuration = ServerConfiguration()
    configuration.threads = 2
    let desk = Desk()
    let server = Server(configuration) { index in
      if index == 1 { throw Refusal() }
      return TestResponder(desk)
    }
    #expect(throws: Refusal.self) { try server.start() }
    let port = server.port
    let next = try TestServer { $0.port = port }
    #expect(next.port == port)
  }

  @Test("A server starts once")
  func startTwice() throws {
    let server = try TestServer()
    #expect(throws: ServerError.started) { try server.server.start() }
  }

  @Test("Connections are spread over all threads, each with a responder of its own")
  func threads() throws {
    let made = Mutex<[UInt]>([])
    let desk = Desk()
    var configuration = ServerConfiguration()
    configuration.threads = 3
    let server = Server(configuration) { _ in
      made.withLock { $0.append(UInt(pthread_self())) }
      return TestResponder(desk)
    }
    try server.start()
    defer { server.stop() }
    #expect(Set(made.withLock { $0 }).count == 3)
    for _ in 0..<20 { #expect(try Client(port: server.port).ask(ServerTests.get()).status == 200) }
  }

  @Test("A stop closes idle connections, waits for held answers and half-sent requests, and says close on them")
  func gracefulStop() throws {
    let server = try TestServer()
    let idle = try server.client()
    #expect(try idle.ask(ServerTests.get()).status == 200)
    let held = try server.client()
    held.send(ServerTests.get("/hold") + ServerTests.get("/never"))
    let half = try server.client()
    half.send("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\na")
    server.waitForTickets(1)

    let stopping = Stopping(server.server)
    while idle.read() {}
    #expect(idle.hasEnded)
    #expect(throws: (any Error).self) { try server.client() }
    #expect(!stopping.isDone)
    half.send("bc")
    server.desk.release()
    for (client, text) in [(held, "later"), (half, "abc")] {
      let answers = try client.rest()
      #expect(answers.map(\.text) == [text])
      #expect(answers.last?.headers["connection"] == "close")
    }
    stopping.wait()
    #expect(!server.desk.log.contains("GET /never "))
  }

  @Test("A stop does not wait longer than the drain deadline: then requests under way are 503, and heads are dropped")
  func drainDeadline() throws {
    let server = try TestServer { $0.drainDeadline = 100 }
    let (held, body, head) = (try server.client(), try server.client(), try server.client())
    held.send(ServerTests.get("/hold"))
    server.waitForTickets(1)
    #expect(
      try body.ask("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n").status == 100)
    body.send("a")
    #expect(try head.ask(ServerTests.get()).status == 200)
    head.send("GET /b HT")
    server.server.stop()
    for (client, statuses) in [(held, [503]), (body, [100, 503]), (head, [200])] {
      let answers = try client.rest()
      #expect(answers.map(\.status) == statuses)
      if statuses.last == 503 { #expect(answers.last?.headers["connection"] == "close") }
    }
    #expect(server.desk.faults.count == 2)
    #expect(server.desk.abandoned == 1)
    #expect(server.desk.release() == 1)
  }

  @Test("What is answered while others give up is sent; a ticket that is let go of is 503 then")
  func dropping() throws {
    let server = try TestServer { $0.drainDeadline = 100 }
    let clients = try (0..<2).map { _ in try server.client() }
    for client in clients { client.send(ServerTests.get("/hold")) }
    server.waitForTickets(2)
    server.server.stop {
      server.desk.releaseFirst()
      server.desk.forget()
    }
    #expect(try clients.flatMap { try $0.rest() }.map(\.status).sorted() == [201, 503])
  }
}

/// A thread that stops a server.
///
/// `@unchecked Sendable`: the server is thread-safe, and the flag atomic.
private final class Stopping: @unchecked Sendable {
  private let server: Server
  private let done = Atomic(false)

  var isDone: Bool { done.load(ordering: .acquiring) }

  init(_ server: Server) {
    self.server = server
    var thread = pthread_t()
    let box = Unmanaged.passRetained(self)
    pthread_create(&thread, nil, stopServer, box.toOpaque())
    pthread_detach(thread)
  }

  func wait() { server.wait() }

  fileprivate func run() {
    server.stop()
    done.store(true, ordering: .releasing)
  }
}

private func stopServer(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let argument { Unmanaged<Stopping>.fromOpaque(argument).takeRetainedValue().run() }
  return nil
}
