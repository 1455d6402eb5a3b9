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
    #expect(lines.contains(#""route":"/Users","status":200,"org":"gridco.example""#))
    #expect(
      lines.contains(
        #/"status":200,.*"key":"key_[0-9a-f]+","client":"127.0.0.1","in":0,"out":[0-9]+,"us":[0-9]+}\n/#))
    #expect(lines.contains(#/"route":"-","status":401,"org":"gridco.example","key":"key_[0-9a-f]+","auth":"revoked"/#))
    for secret in ["123123", secret, "trinity", "filter"] { #expect(!lines.contains(secret)) }
  }

  @Test func aRequestThatAStopLeavesUnansweredIs503() throws {
    #expect(try runner.run("org", "create", "acme.example").code == 0)
    let made = try runner.run("key", "create", "acme.example", "--role", "admin", "--label", "a", "--json")
    let key = try #require(made.json?["key"]?.stringValue)
    let log = runner.directory.appendingPathComponent("log")
    let server = try RunningServer(runner, ["--log", "json", "--drain-timeout", "1"], log: log)
    // A body that never comes.
    let answer = try RawClient(base: server.base).rest(
      behind: "POST /scim/v2/Users HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(key)\r\n"
        + "Content-Length: 9\r\nExpect: 100-continue\r\n\r\n"
    ) { server.process.terminate() }
    #expect(answer.contains("HTTP/1.1 503 "))
    #expect(answer.contains("Retry-After: 1\r\n") && answer.contains(#""detail":"The server is stopping.""#))
    server.process.waitUntilExit()
    #expect(server.process.terminationStatus == 0)
    #expect(try String(contentsOf: log, encoding: .utf8).contains(#""method":"POST","route":"-","status":503"#))
  }

  @Test func makesTheDatabaseAndStopsCleanly() async throws {
    let server = try RunningServer(runner)
    #expect(FileManager.default.fileExists(atPath: runner.database))
    #expect(try await server.get("/Users", key: "123123").status == 401)
    #expect(server.stop() == 0)
  }

  @Test(
    "a demo key is refused wherever others can reach the server",
    arguments: [
      ("a tunnel or a proxy", ["--base-url", "https://scim.example/scim/v2"], 401),
      ("a proxy's fields", ["--trust-proxy"], 401), ("an address", ["--host", "0.0.0.0"], 401),
      ("this machine", ["--base-url", "http://localhost:8080/scim/v2"], 200),
      ("meant so", ["--base-url", "https://scim.example/scim/v2", "--trust-proxy", "--allow-demo-key"], 200),
    ])
  func demoKeys(_ name: String, _ arguments: [String], _ status: Int) async throws {
    _ = try runner.run("seed", SeedCommandTests.shipped("gridco.json"), SeedCommandTests.shipped("acme.json"))
    let log = runner.directory.appendingPathComponent("log")
    let server = try RunningServer(runner, arguments, log: log)
    for key in ["123123", "acme-demo-key"] { #expect(try await server.get("/Users", key: key).status == status) }
    let made = try runner.run("key", "create", "gridco.example", "--json")
    #expect(try await server.get("/Users", key: try #require(made.json?["key"]?.stringValue)).status == 200)
    #expect(server.stop() == 0)
    let warning = try String(contentsOf: log, encoding: .utf8)
    #expect(warning.contains("gridco.example, acme.example get 401") == (status == 401), "\(warning)")
    for key in ["123123", "acme-demo-key"] { #expect(!warning.contains(key)) }
  }

  @Test func aDemoKeyThatIsSeededLaterIsNotLetIn() async throws {
    let server = try RunningServer(runner, ["--host", "0.0.0.0"])
    _ = try runner.run("seed", SeedCommandTests.shipped("gridco.json"))
    #expect(try await server.get("/Users", key: "123123").status == 401)
    #expect(server.stop() == 0)
  }

  @Test func aTraceShowsExchangesWithoutSecrets() async throws {
    _ = try runner.run("seed", SeedCommandTests.shipped("gridco.json"))
    let log = runner.directory.appendingPathComponent("log")
    let server = try RunningServer(runner, ["--trace"], log: log)
    let user: JSON = [
      "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "neo", "password": "red-pill",
    ]
    // Answered on the loop, and from another thread.
    #expect(
      try await server.get("/Users?filter=userName%20eq%20%22trinity@gridco.example%22", key: "123123").status == 200)
    #expect(try await server.send("POST", "/Users", user, key: "123123").status == 201)
    #expect(server.stop() == 0)
    let text = try String(contentsOf: log, encoding: .utf8)
    for part in ["[1] GET /scim/v2/Users?filter=userName", "[1] 200", "trinity@", "[2] POST /scim/v2/Users", "[2] 201"]
    {
      #expect(text.contains(part), "\(part)")
    }
    for secret in ["123123", "red-pill"] { #expect(!text.contains(secret)) }
  }

  @Test func everyKeyOfTheShippedSeedsIsADemoKey() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: SeedCommandTests.shipped("")) {
      let file = try JSON(parsing: Data(contentsOf: URL(fileURLWithPath: SeedCommandTests.shipped(name))))
      for organization in try #require(file["organizations"]?.arrayValue) {
        for key in try #require(organization["keys"]?.arrayValue) {
          #expect(DemoKeys.all.contains(try #require(key["secret"]?.stringValue)), "\(name)")
        }
      }
    }
  }

  @Test func aRequestOutsideTheBasePathHearsWhereSCIMIs() async throws {
    let server = try RunningServer(runner, ["--base-url", "https://scim.example/crm/scim/v2"])
    let root = "http://127.0.0.1:\(server.port)"
    for path in ["/", "/Users", "/scim", "/scim/v2x"] {
      let answer = try await server.send("GET", to: root + path, key: "none")
      #expect(answer.status == 404)
      #expect(answer.body?["detail"]?.stringValue?.contains("SCIM is at /crm/scim/v2") == true, "\(path)")
    }
    #expect(try await server.send("GET", to: root + "/scim/v2/Users", key: "none").status == 401)
    #expect(server.stop() == 0)
  }

  @Test(arguments: [
    ["--port", "65536"], ["--threads", "0"], ["--base-url", "ftp://x"], ["--base-url", "https://scim.example"],
    ["--page-size", "2000"], ["--log", "xml"],
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
