import Glibc
import Testing

@testable import HTTPServer

@Suite("Request ids")
struct RequestIDTests {
  private func ids(_ text: String) throws -> [String?] {
    let rig = try Rig()
    rig.feed(Array(text.utf8)[...])
    return try #require(Answer.all(in: rig.output())).map { $0.headers["x-request-id"] }
  }

  private func get(_ fields: String, path: String = "/a") -> String {
    "GET \(path) HTTP/1.1\r\nHost: h\r\n\(fields)\r\n"
  }

  @Test(
    "A client's own is kept where it is a plain word of up to 64 characters",
    arguments: [
      "a", "Az09._-", String(repeating: "x", count: 64),
    ])
  func own(_ id: String) throws {
    #expect(try ids(get("X-Request-Id: \(id)\r\n")) == [id])
  }

  @Test(
    "Another one is replaced",
    arguments: [
      "", "a b", "a\"b", "a,b", "ä", "a/b", "a=b", String(repeating: "x", count: 65),
    ])
  func odd(_ id: String) throws {
    let made = try #require(try ids(get("X-Request-Id: \(id)\r\n")).first ?? nil)
    #expect(made.wholeMatch(of: #/[0-9a-z]{12}/#) != nil)
  }

  @Test("The first of two counts, and each request has one of its own")
  func several() throws {
    #expect(try ids(get("X-Request-Id: one\r\nX-Request-Id: two\r\n")) == ["one"])
    let made = try ids(String(repeating: get(""), count: 50))
    #expect(Set(made).count == 50 && !made.contains(nil))
  }

  @Test("A responder's own field of that name is not sent twice")
  func responders() throws {
    #expect(try ids(get("X-Request-Id: mine\r\n", path: "/named")) == ["mine"])
  }

  @Test(
    "What the transport refuses has one, and its responder is told the same",
    arguments: [
      ("GET / HTTP/1.1\r\n\r\n", 400), ("nonsense\r\n\r\n", 400),
      ("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 99999\r\n\r\n", 413),
      ("GET / HTTP/1.1\r\nHost: h\r\n" + String(repeating: "X:\r\n", count: 101) + "\r\n", 431),
    ])
  func faults(_ text: String, _ status: Int) throws {
    let rig = try Rig()
    rig.feed(Array(text.utf8)[...])
    let answer = try #require(Answer.all(in: rig.output())?.first)
    let id = try #require(answer.headers["x-request-id"])
    #expect(answer.status == status && rig.desk.faults == ["\(status) \(id)"])
  }

  @Test("A held answer keeps the id of its request")
  func held() throws {
    let rig = try Rig()
    rig.feed(Array(get("X-Request-Id: mine\r\n", path: "/hold").utf8)[...])
    rig.desk.release()
    rig.turn()
    #expect(Answer.all(in: rig.output())?.first?.headers["x-request-id"] == "mine")
  }
}

@Suite("A loop that cannot go on")
struct BrokenLoopTests {
  @Test("Without its epoll set it ends, says why, and lets go of its connections")
  func epoll() throws {
    let rig = try Rig()
    let null = open("/dev/null", O_RDONLY)
    dup2(null, rig.loop.epoll)
    close(null)
    let failure = try #require(rig.loop.run())
    #expect("\(failure)".hasPrefix("waiting for events: "))
    #expect(rig.connection.phase == .closed)
  }
}
