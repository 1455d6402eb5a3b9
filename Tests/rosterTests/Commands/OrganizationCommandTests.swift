import Foundation
import SCIMCore
import Testing

@testable import roster

@Suite struct OrganizationCommandTests {
  let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  @Test func createMakesTheDatabaseAndPrintsTheOrganisation() throws {
    let made = try runner.run("org", "create", "acme.example", "--catalog", "closed", "--json")
    #expect(made.code == 0)
    #expect(made.error.isEmpty)
    #expect(made.json?["name"] == "acme.example")
    #expect(made.json?["catalog"] == "closed")
    let list = try runner.run("org", "list", "--json")
    #expect(list.json?.arrayValue?.map { $0["name"] } == ["acme.example"])
  }

  @Test func aNameThatIsTakenIsRefused() throws {
    _ = try runner.run("org", "create", "acme.example")
    let again = try runner.run("org", "create", "acme.example")
    #expect(again.code == 1)
    #expect(again.output.isEmpty)
    #expect(again.error == "roster: organisation 'acme.example' already exists\n")
  }

  @Test(arguments: ["", "Acme", "a b", "-a", "é.example", "a/b"])
  func aBadNameIsAUsageErrorAndMakesNothing(_ name: String) throws {
    let outcome = try runner.run("org", "create", "--", name)
    #expect(outcome.code == 2)
    #expect(!FileManager.default.fileExists(atPath: runner.database))
  }

  @Test func setRenamesAndClosesTheCatalogue() throws {
    _ = try runner.run("org", "create", "acme.example")
    #expect(try runner.run("org", "set", "acme.example").code == 2)
    let set = try runner.run("org", "set", "acme.example", "--catalog", "closed", "--rename", "b.example", "--json")
    #expect(set.json?["name"] == "b.example")
    let list = try runner.run("org", "list", "--json")
    #expect(list.json?.arrayValue?.map { $0["name"] } == ["b.example"])
    #expect(list.json?.arrayValue?.map { $0["catalog"] } == ["closed"])
  }

  @Test func whatAnOrganisationChoosesIsShownAndChanged() throws {
    let made = try runner.run("org", "create", "acme.example", "--json")
    let standard: [String: JSON] = ["groupNames": "unique", "externalIds": "free", "announced": "pagination"]
    for (name, value) in standard { #expect(made.json?[name] == value) }
    let chosen = try runner.run(
      "org", "create", "b.example", "--group-names", "free", "--external-ids", "unique", "--announce", "none", "--json")
    let others: [String: JSON] = ["groupNames": "free", "externalIds": "unique", "announced": "none"]
    for (name, value) in others { #expect(chosen.json?[name] == value) }
    let set = try runner.run(
      "org", "set", "b.example", "--announce", "entitlements,pagination", "--group-names", "unique")
    #expect(
      set.output
        == "Changed b.example. Its catalogue is open; grants are off; externalIds are unique; ServiceProviderConfig"
        + " announces pagination,entitlements.\n")
    let shown = try runner.run("org", "show", "b.example")
    #expect(
      shown.output.contains(#/(?m)^external ids +unique$/#) && shown.output.contains(#/(?m)^group names +unique$/#))
    #expect(shown.output.contains(#/(?m)^announced +pagination,entitlements$/#))
    #expect(try runner.run("org", "list").output.contains("EXTERNAL IDS"))
    for arguments in [
      ["--announce", "all"], ["--announce", ""], ["--group-names", "yes"], ["--external-ids", "on"],
    ] {
      #expect(try runner.run(arguments: ["org", "set", "b.example"] + arguments).code == 2, "\(arguments)")
    }
  }

  @Test func doublesKeepAnOrganisationFromHoldingThemUnique() throws {
    let seed = try runner.file(
      "seed.json",
      """
      {"format": "roster-seed/1", "organizations": [{"name": "c.example", "resources": {
        "User": [{"id": "ann", "userName": "ann", "externalId": "7"}, {"id": "bob", "userName": "bob", "externalId": "8"}]}}]}
      """)
    #expect(try runner.run("seed", seed).code == 0)
    #expect(try runner.run("org", "set", "c.example", "--external-ids", "unique").code == 0)
    #expect(try runner.run("check").code == 0)
    #expect(try runner.run("org", "set", "c.example", "--external-ids", "free").code == 0)
    #expect(try runner.run("check").code == 0)
  }

  @Test func grantsAreTurnedOnAndOff() throws {
    let made = try runner.run("org", "create", "acme.example", "--json")
    #expect(made.json?["grants"] == false)
    #expect(try runner.run("org", "create", "b.example", "--grants", "on", "--json").json?["grants"] == true)
    #expect(try runner.run("org", "set", "acme.example", "--grants", "on", "--json").json?["grants"] == true)
    // Another setting leaves it as it is.
    #expect(try runner.run("org", "set", "acme.example", "--catalog", "closed", "--json").json?["grants"] == true)
    #expect(try runner.run("org", "list", "--json").json?.arrayValue?.map { $0["grants"] } == [true, true])
    #expect(try runner.run("org", "show", "acme.example").output.contains(#/(?m)^grants +on$/#))
    for arguments in [
      ["--grants", "maybe"], ["--force"], ["--grants", "on", "--force"],
      ["--grants", "off", "--force", "--external-ids", "unique"],
      ["--grants", "off", "--force", "--group-names", "free"],
    ] {
      #expect(try runner.run(arguments: ["org", "set", "acme.example"] + arguments).code == 2, "\(arguments)")
    }
    let seed = try runner.file(
      "seed.json",
      """
      {"format": "roster-seed/1", "organizations": [{"name": "c.example", "grants": true, "resources": {
        "Role": [{"id": "clerk", "displayName": "Clerk"}], "User": [{"id": "ann", "userName": "ann"}],
        "Group": [{"id": "team", "displayName": "Team", "members": [{"value": "ann"}],
          "\(GroupGrants.urn)": {"roles": [{"value": "Clerk"}]}}]}}]}
      """)
    #expect(try runner.run("seed", seed, "--check").code == 0)
    #expect(try runner.run("seed", seed).code == 0)
    #expect(try runner.run("seed", seed).output == "c.example: 0 created, 3 already exist\n")
    let user = try runner.run("inspect", "resource", "ann", "--org", "c.example").json
    #expect(user?["roles"] == [["value": "clerk", "display": "Clerk", "type": "Role", "inherited": true]])
    let group = try runner.run("inspect", "resource", "team", "--org", "c.example").json
    #expect(group?[GroupGrants.urn]?["roles"]?.arrayValue?.count == 1)
    let refused = try runner.run("org", "set", "c.example", "--grants", "off")
    #expect(refused.code == 1)
    #expect(
      refused.error
        == "roster: 1 group grants roles or entitlements. Removing these requires --force.\n"
    )
    #expect(try runner.run("org", "set", "c.example", "--grants", "off", "--force").code == 0)
    #expect(try runner.run("inspect", "resource", "team", "--org", "c.example").json?[GroupGrants.urn] == nil)
    #expect(try runner.run("check").code == 0)
  }

  @Test func deleteNeedsYesWhereNobodyCanBeAsked() throws {
    _ = try runner.run("org", "create", "acme.example")
    #expect(try runner.run("org", "delete", "acme.example").code == 2)
    #expect(try runner.run("org", "list").output.contains("acme.example"))
    #expect(try runner.run("org", "delete", "acme.example", "--yes").code == 0)
    #expect(try runner.run("org", "list", "--json").json == [])
  }

  @Test func anUnknownOrganisationIsNamedWithASuggestion() throws {
    _ = try runner.run("org", "create", "acme.example")
    let outcome = try runner.run("org", "show", "acme.exmaple")
    #expect(outcome.code == 1)
    #expect(
      outcome.error == "roster: there is no organisation 'acme.exmaple'; did you mean 'acme.example'?\n")
  }

  @Test func readingMakesNoDatabase() throws {
    let outcome = try runner.run("org", "list")
    #expect(outcome.code == 1)
    #expect(outcome.error.contains("there is no database at"))
    #expect(!FileManager.default.fileExists(atPath: runner.database))
  }
}
