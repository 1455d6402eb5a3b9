import HTTPMessage
import Testing

@testable import HTTPServer

/// How long the transport waits where nothing is set, by a clock that the test moves: one millisecond less, and then that.
@Suite("Deadlines")
struct DeadlineTests {
  /// Lets almost so much time pass, and gives the statuses until then; then the rest of it, and gives those since.
  private func statuses(_ rig: Rig, around milliseconds: Int) -> (before: [Int]?, after: [Int]?) {
    rig.pass(milliseconds: milliseconds - 1)
    let before = rig.connection.phase == .closed ? nil : rig.statuses()
    rig.pass(milliseconds: 1)
    return (before, rig.statuses())
  }

  @Test("A head has 15 seconds from its first byte, whatever of it comes meanwhile; then 408")
  func head() throws {
    let rig = try Rig()
    rig.pass(milliseconds: 5000)
    rig.feed("GET /a HT")
    rig.pass(milliseconds: 14_000)
    rig.feed("TP/1.1\r\n")
    let (before, after) = statuses(rig, around: 1000)
    #expect(before == [] && after == [408])
    #expect(!rig.takesMore)
  }

  @Test("A connection that has sent nothing is closed without an answer after 15 seconds")
  func silence() throws {
    let rig = try Rig()
    let (before, after) = statuses(rig, around: 15_000)
    #expect(before == [] && after == [])
    #expect(rig.connection.phase == .closed)
  }

  @Test("A body has 40 seconds from the end of its head; then 408")
  func body() throws {
    let rig = try Rig()
    rig.feed("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n")
    rig.pass(milliseconds: 39_000)
    rig.feed("ab")
    let (before, after) = statuses(rig, around: 1000)
    #expect(before == [] && after == [408])
    #expect(rig.desk.log.isEmpty)
  }

  @Test("Between requests there are 75 seconds; then the connection is closed without an answer")
  func idle() throws {
    let rig = try Rig()
    rig.feed("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
    #expect(rig.statuses() == [200])
    let (before, after) = statuses(rig, around: 75_000)
    #expect(before == [] && after == [])
    #expect(rig.connection.phase == .closed)
  }

  @Test("An answer must be taken within 30 seconds, however much of it was; then the connection is reset")
  func answer() throws {
    let rig = try Rig()
    rig.feed("GET /megabytes HTTP/1.1\r\nHost: h\r\n\r\n")
    rig.pass(milliseconds: 29_000)
    #expect(!rig.output().isEmpty)
    rig.write()
    rig.pass(milliseconds: 999)
    #expect(rig.connection.phase != .closed)
    rig.pass(milliseconds: 1)
    #expect(rig.connection.phase == .closed)
  }

  @Test("A client that has closed its sending side is waited for 3 seconds while its request is worked on")
  func halfClosed() throws {
    let rig = try Rig()
    rig.feed("GET /hold HTTP/1.1\r\nHost: h\r\n\r\n")
    rig.finish()
    rig.pass(milliseconds: 2999)
    #expect(rig.desk.abandoned == 0)
    rig.pass(milliseconds: 1)
    #expect(rig.desk.abandoned == 1)
  }
}
