import HTTPServer
import SCIMCore
import Testing

/// Every conversation of `Tests/Fixtures/exchanges`, at two depths: in memory, and over a real socket.
@Suite("Exchanges")
struct ExchangeTests {
  /// One database for each depth: the cases are made to run side by side in a tenant that holds other data.
  private static let memory = Result {
    let harness = try Harness()
    return (
      harness,
      ExchangeRunner(
        wire: try MemoryWire(service: harness.service), base: "http://scim.test/scim/v2",
        keys: try keys(harness, "memory.example"),
        grantingKeys: try keys(harness, "memory-grants.example", grants: true))
    )
  }
  private static let socket = Result {
    let harness = try Harness()
    let server = try harness.serve()
    return (
      harness, server,
      ExchangeRunner(
        wire: SocketWire(port: server.port), base: "http://127.0.0.1:\(server.port)/scim/v2",
        keys: try keys(harness, "socket.example"),
        grantingKeys: try keys(harness, "socket-grants.example", grants: true))
    )
  }

  /// A key of each profile of a new organisation.
  private static func keys(_ harness: Harness, _ name: String, grants: Bool = false) throws -> [Profile: String] {
    let organization = try harness.organization(name, grants: grants)
    return try Dictionary(
      uniqueKeysWithValues: Profile.allCases.map { ($0, try harness.key(of: organization, profile: $0)) })
  }

  @Test("the fixtures are there")
  func fixtures() {
    #expect(ExchangeCase.all.count >= 485)
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
