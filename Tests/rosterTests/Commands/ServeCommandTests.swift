import Foundation
import SCIMCore
import Testing

@testable import roster

@Suite struct ServeCommandTests {
  let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  @Test func servesWhatIsSeededAndSeesKeysThatAreMadeAndRevokedMeanwhile() async throws {
    _ = try runner.run("seed", SeedCommandTests.shipped("gridco.json"))
    let log = runner.directory.appendingPathComponent("log")
    let server = try RunningServer(runner, ["--log", "json"], log: log)
    let users = try await server.get("/Users?filter=userName%20eq%20%22trinity@gridco.example%22", key: "123123")
    #expect(users.status == 200)
    #expect(users.body?["totalResults"] == 1)

    let made = try runner.run("key", "create", "gridco.example", "--role", "reader", "--label", "late", "--json")
    let secret = try #require(made.json?["key"]?.stringValue)
    #expect(try await server.get("/Roles", key: secret).status == 200)
    #expect(try runner.run("key", "revoke", "gridco.example", "late").code == 0)
    #expect(try await server.get("/Roles", key: secret).status == 401)

    #expect(server.stop() == 0)
    let lines = try String(contentsOf: log, encoding: .utf8)
    #expect(lines.contains(#""route":"/Users","status":"200","org":"gridco.example""#))
    #expect(lines.contains(#/"status":"200",.*"key":"key_[0-9a-f]+","us":"[0-9]+"}\n/#))
    #expect(lines.contains(#/"route":"-","status":"401","us":"[0-9]+"}\n/#))
    for secret in ["123123", secret, "trinity", "filter"] { #expect(!lines.contains(secret)) }
  }

  @Test func makesTheDatabaseAndStopsCleanly() async throws {
    let server = try RunningServer(runner)
    #expect(FileManager.default.fileExists(atPath: runner.database))
    #expect(try await server.get("/Users", key: "123123").status == 401)
    #expect(server.stop() == 0)
  }

  @Test func aDemoKeyIsNotServedWhereOthersCanReachIt() throws {
    _ = try runner.run("seed", SeedCommandTests.shipped("acme.json"))
    let outcome = try runner.run("serve", "--host", "0.0.0.0", "--port", "0")
    #expect(outcome.code == 1)
    #expect(outcome.error.contains("demo key"))
    #expect(!outcome.error.contains("acme-demo-key"))
  }

  @Test func aDemoKeyThatIsSeededLaterIsNotLetIn() async throws {
    let server = try RunningServer(runner, ["--host", "0.0.0.0"])
    _ = try runner.run("seed", SeedCommandTests.shipped("gridco.json"))
    #expect(try await server.get("/Users", key: "123123").status == 401)
    #expect(server.stop() == 0)
  }

  @Test(arguments: [
    ["--port", "65536"], ["--threads", "0"], ["--base-url", "ftp://x"], ["--page-size", "2000"], ["--log", "xml"],
    ["--idle-timeout", "0"], ["--max-connections", "many"],
  ])
  func usage(_ arguments: [String]) throws {
    #expect(try runner.run("serve", arguments[0], arguments[1]).code == 2)
    #expect(!FileManager.default.fileExists(atPath: runner.database))
  }

  @Test func whatCannotBeDoneIsSaid() throws {
    let schemas = try runner.run("serve", "--schemas", "nowhere")
    #expect(schemas.code == 1 && schemas.error.contains("nowhere"))
    let broken = try runner.file("broken.db", "this is no database, and long enough to be told from an empty one")
    let database = try runner.run("serve", "--db", broken)
    #expect(database.code == 1 && database.error.hasPrefix("roster: "))
  }
}
