import HTTPServer
import Testing

/// Every conversation of `Tests/Fixtures/exchanges`, at two depths: in memory, and over a real socket.
@Suite("Exchanges")
struct ExchangeTests {
  /// One database for each depth: the cases are made to run side by side in a tenant that holds other data.
  private static let memory = Result {
    let harness = try Harness()
    let token = try harness.key(of: harness.organization("memory.example"))
    let granting = try harness.key(of: harness.organization("memory-grants.example", grants: true))
    return (
      harness,
      ExchangeRunner(
        wire: try MemoryWire(service: harness.service), base: "http://scim.test/scim/v2", token: token,
        grantingToken: granting)
    )
  }
  private static let socket = Result {
    let harness = try Harness()
    let token = try harness.key(of: harness.organization("socket.example"))
    let granting = try harness.key(of: harness.organization("socket-grants.example", grants: true))
    let server = try harness.serve()
    let base = "http://127.0.0.1:\(server.port)/scim/v2"
    return (
      harness, server,
      ExchangeRunner(wire: SocketWire(port: server.port), base: base, token: token, grantingToken: granting)
    )
  }

  @Test("the fixtures are there")
  func fixtures() {
    #expect(ExchangeCase.all.count >= 425)
  }

  @Test("in memory", arguments: ExchangeCase.all)
  func inMemory(_ exchange: ExchangeCase) throws {
    let (_, runner) = try Self.memory.get()
    if let why = runner.run(exchange) { Issue.record("\(exchange.file): \(why)") }
  }

  @Test("in memory, where groups may grant", arguments: ExchangeCase.all.filter(\.holdsWithGrants))
  func inMemoryWithGrants(_ exchange: ExchangeCase) throws {
    let (_, runner) = try Self.memory.get()
    if let why = runner.run(exchange, grants: true) { Issue.record("\(exchange.file): \(why)") }
  }

  @Test("over a socket", arguments: ExchangeCase.all)
  func overSocket(_ exchange: ExchangeCase) throws {
    let (_, _, runner) = try Self.socket.get()
    if let why = runner.run(exchange) { Issue.record("\(exchange.file): \(why)") }
  }
}
