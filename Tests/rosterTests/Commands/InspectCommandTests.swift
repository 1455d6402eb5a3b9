import Foundation
import SCIMCore
import SCIMSQL
import SCIMSQLite
import Testing

@testable import roster

@Suite struct InspectCommandTests {
  let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  @Test func whatIsShownIsOfOneMomentWhateverOthersWriteMeanwhile() throws {
    let store = try SQLiteStore.open(
      path: runner.database, options: SQLiteOptions(synchronous: .off), store: SQLStoreOptions(),
      registry: BuiltInSchemas.registry)
    defer { store.close() }
    let organization = try store.writeAndWait { (transaction) throws(SCIMError) in
      try transaction.createOrganization(name: "a.example", catalog: .open).id
    }
    let type = try #require(BuiltInSchemas.registry.type(named: "User"))
    @Sendable func create(_ name: String, _ title: String) throws(SCIMError) {
      try store.writeAndWait { (transaction) throws(SCIMError) in
        transaction.budget = .unlimited
        var document = JSONObject()
        document["userName"] = .string(name)
        document["title"] = .string(title)
        _ = try transaction.tenantTransaction(organization).create(
          type: type, id: nil, document: ResourceDocument.ordered(document, type: type), passwordHash: nil)
      }
    }
    // A page of the store ends with 8 MiB.
    let long = String(repeating: "x", count: 800_000)
    for number in 0..<13 { try create("u\(number)", long) }
    let tenant = try store.makeReader().tenant(organization)
    var written = 0
    tenant.budget = WorkBudget(limit: .max, exhaustion: .isRefused) {
      guard written < 20 else { return nil }
      written += 1
      try? create("late\(written)", "")
      return nil
    }
    let page = try InspectCommand.search(
      [SearchQuery.Part(type: type, filter: nil)], from: 0, count: 50, links: .none, tenant)
    #expect(written > 0)
    #expect(page.total == 13 && page.resources.count == 13)
  }

  @Test func asManyAreShownAsAreAskedForHoweverLargeTheyAre() throws {
    // A page of the store ends with 8 MiB.
    let certificate = String(repeating: "QUJD", count: 200_000)
    let users = (0..<13).map { index in
      #"{"userName": "u\#(index)", "x509Certificates": [{"value": "\#(certificate)"}]}"#
    }
    let seed = try runner.file(
      "seed.json",
      """
      {"format": "roster-seed/1", "organizations": [{"name": "a.example", "resources": {
        "User": [\(users.joined(separator: ","))]}}]}
      """)
    try #require(try runner.run("seed", seed).code == 0)
    for (start, count, expected) in [(1, 12, 12), (1, 50_000, 13), (4, 50_000, 10), (1, 0, 0)] {
      let outcome = try runner.run("inspect", "users", "--json", "--start", "\(start)", "--count", "\(count)")
      #expect(outcome.json?["itemsPerPage"]?.integerValue == Int64(expected))
      #expect(outcome.json?["totalResults"] == 13)
      let names = outcome.json?["Resources"]?.arrayValue?.map { $0["userName"]?.stringValue }
      #expect(names == (0..<expected).map { "u\($0 + start - 1)" })
    }
    #expect(try runner.run("inspect", "users", "--count", "50000").error.isEmpty)
    #expect(
      try runner.run("inspect", "users", "--count", "12").error
        == "12 of 13 shown. Pass --start and --count for others.\n")
  }

  @Test(arguments: [
    "urn:scim:schemas:core:2.0:userName", "urn:scim:schemas:core:2.0:User:userName",
    "urn:ietf:params:scim:schemas:core:2.0User:userName", "urn:ietf:params:scim:schemas:core:2.0:User.userName",
  ])
  func aFilterIsReadAsTheServerReadsIt(name: String) throws {
    let seed = try runner.file(
      "seed.json",
      """
      {"format": "roster-seed/1", "organizations": [{"name": "a.example", "resources": {
        "User": [{"userName": "ann"}, {"userName": "bob"}]}}]}
      """)
    try #require(try runner.run("seed", seed).code == 0)
    let outcome = try runner.run("inspect", "users", "--json", "--filter", #"\#(name) sw "a""#)
    #expect(outcome.json?["Resources"]?.arrayValue?.map { $0["userName"]?.stringValue } == ["ann"], "\(outcome.error)")
  }

  @Test func theExamplesOfTheHelpAreTaken() throws {
    _ = try runner.run("org", "create", "a.example")
    for command in InspectCommand.command.commands {
      guard let filter = command.options.first(where: { $0.name == "filter" }) else { continue }
      let example = try #require(filter.help.firstMatch(of: #/'(.+)'/#)?.1)
      let outcome = try runner.run("inspect", command.name, "--filter", String(example))
      #expect(outcome.code == 0, "\(command.name): \(outcome.error)")
    }
  }
}
