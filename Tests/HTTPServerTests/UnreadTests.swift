import HTTPMessage
import Testing

@testable import HTTPServer

/// Clients that ask and do not read, on a loop that the test turns itself.
@Suite("Answers that nobody takes")
struct UnreadTests {
  private func configuration(_ unsent: ByteLedger) -> ServerConfiguration {
    var configuration = ServerConfiguration()
    configuration.unsent = unsent
    return configuration
  }

  private func get(_ path: String, _ fields: String = "") -> ArraySlice<UInt8> {
    Array("GET \(path) HTTP/1.1\r\nHost: h\r\n\(fields)\r\n".utf8)[...]
  }

  @Test("What waits is counted until it is taken")
  func counted() throws {
    let ledger = ByteLedger(limit: 8 << 20)
    let rig = try Rig(configuration(ledger))
    rig.feed(get("/megabytes"))
    let waiting = ledger.total
    #expect(waiting > 3 << 20 && waiting < 5 << 20)
    var taken = rig.output().count
    #expect(taken > 0 && taken + waiting > 4 << 20)
    while ledger.total > 0 {
      rig.write()
      taken += rig.output().count
    }
    #expect(taken > 4 << 20)
    #expect(rig.takesMore)
  }

  @Test("A connection that goes takes what it held with it")
  func gone() throws {
    let ledger = ByteLedger(limit: 8 << 20)
    let rig = try Rig(configuration(ledger))
    rig.feed(get("/megabytes"))
    #expect(ledger.total > 0)
    rig.loop.remove(rig.connection)
    #expect(ledger.total == 0)
  }

  @Test("A ticket's answer counts for its account from when it is sent, before the loop has it")
  func tickets() throws {
    let ledger = ByteLedger(limit: 30 << 20)
    let rig = try Rig(configuration(ledger))
    rig.feed(get("/hold"))
    var response = Response(status: 200, body: [UInt8](repeating: 0x61, count: 10 << 20))
    response.account = 7
    rig.desk.release(response)
    #expect(ledger.total == 10 << 20)
    #expect(ledger.isFull(for: 7) && !ledger.isFull(for: 8))
    rig.turn()
    // Now it is the connection that counts what is left, the head included.
    #expect(ledger.total > 9 << 20 && ledger.total < (10 << 20) + 1000)
    rig.loop.remove(rig.connection)
    #expect(ledger.total == 0)
  }

  @Test("Nobody works for a connection that has gone")
  func awaited() throws {
    let rig = try Rig()
    rig.feed(get("/hold"))
    let ticket = try #require(rig.desk.tickets.first)
    #expect(!ticket.isAbandoned)
    rig.loop.remove(rig.connection)
    #expect(ticket.isAbandoned)
    #expect(rig.loop.unsent.total == 0)
    ticket.send(Response(status: 200, body: [UInt8](repeating: 0x61, count: 1 << 20)))
    rig.turn()
    #expect(rig.loop.unsent.total == 0)
  }

  @Test("While much is unread, a connection takes one request at a time")
  func scarce() throws {
    let ledger = ByteLedger(limit: 1 << 20)
    let held = ledger.hold(900 << 10, for: 1)
    let rig = try Rig(configuration(ledger))
    rig.feed((0..<64).flatMap { _ in get("/eight") }[...])
    // Without reading, no more than the socket's buffer and one answer.
    #expect(ledger.total - (900 << 10) <= 16 << 10)
    withExtendedLifetime(held) {}
  }

  // MARK: - Compression

  @Test("A long answer is compressed by who sends its ticket, unless it has no time")
  func compression() throws {
    let text = Array(String(repeating: "The quick brown fox. ", count: 10_000).utf8)
    for (fields, isCompressing, coding) in [
      ("Accept-Encoding: gzip\r\n", true, "gzip"), ("Accept-Encoding: gzip\r\n", false, nil), ("", true, nil),
    ] {
      let rig = try Rig()
      rig.feed(get("/hold", fields))
      let ticket = try #require(rig.desk.tickets.first)
      let response = Response(status: 200, body: text)
      #expect(ticket.compresses(response) == !fields.isEmpty)
      #expect(!ticket.compresses(Response(status: 200, body: Array(text.prefix(1000)))))
      ticket.send(response, compressing: isCompressing)
      var output: [UInt8] = []
      repeat {
        rig.turn()
        rig.write()
        output += rig.output()
      } while Answer.all(in: output)?.isEmpty != false
      let answer = try #require(Answer.all(in: output)?.first)
      #expect(answer.headers["content-encoding"] == coding)
      #expect(answer.headers["vary"] == "Accept-Encoding")
      let body = coding == nil ? answer.body : try Gzip().expand(answer.body, limit: 1 << 20).get()
      #expect(body == text)
    }
  }

  // MARK: - Request bodies

  @Test("Bodies are counted until they are answered; beyond the limit 503, and room again once one has gone")
  func bodies() throws {
    var configuration = ServerConfiguration()
    configuration.maxBodyBytes = 100_000
    let ledger = ByteLedger(limit: configuration.maxBodyBytes)
    func rig() throws -> Rig { try Rig(configuration, bodies: ledger) }
    func post(_ account: Int, path: String = "/large") -> [UInt8] {
      Array("POST \(path) HTTP/1.1\r\nHost: h\r\nX-Account: \(account)\r\nContent-Length: 40000\r\n\r\n".utf8)
    }
    let half = [UInt8](repeating: 0x61, count: 20_000)
    let first = try rig()
    first.feed((post(1) + half + half.prefix(14_000))[...])
    #expect(ledger.total == 34_000)
    // Its account has its third; another has room.
    let second = try rig()
    second.feed((post(1) + half)[...])
    #expect(Answer.all(in: second.output())?.map(\.status) == [503])
    #expect(second.desk.faults.first?.hasPrefix("503 ") == true)
    let third = try rig()
    third.feed((post(2) + half)[...])
    #expect(third.output().isEmpty)
    first.loop.remove(first.connection)
    #expect(ledger.total == 20_000)
    third.feed(half[...])
    #expect(Answer.all(in: third.output())?.map(\.status) == [200])
    #expect(ledger.total == 0)
  }

  @Test("A body whose answer a ticket holds stays counted until the ticket is sent, or let go of")
  func heldBodies() throws {
    for isSent in [true, false] {
      let ledger = ByteLedger(limit: 1 << 20)
      let rig = try Rig(ServerConfiguration(), bodies: ledger)
      let body = [UInt8](repeating: 0x61, count: 20_000)
      rig.feed(
        (Array("POST /hold HTTP/1.1\r\nHost: h\r\nX-Limit: y\r\nContent-Length: 20000\r\n\r\n".utf8) + body)[...])
      #expect(rig.desk.held == 1 && ledger.total == 20_000)
      if isSent { rig.desk.release() } else { rig.desk.forget() }
      #expect(ledger.total == 0)
    }
  }
}
