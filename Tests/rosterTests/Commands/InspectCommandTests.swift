import SCIMCore
import Testing

@testable import roster

@Suite struct InspectCommandTests {
  let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

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
