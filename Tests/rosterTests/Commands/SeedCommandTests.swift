import Foundation
import SCIMCore
import SCIMSQLite
import Testing

@testable import roster

@Suite struct SeedCommandTests {
  let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  /// The files that the project ships, found from where this file was compiled.
  static func shipped(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("seed/\(name)").path
  }

  func resources(_ what: String, of organization: String) throws -> [JSON] {
    try runner.run("inspect", what, "--org", organization, "--json").json?["Resources"]?.arrayValue ?? []
  }

  @Test func theWorkshopsTenantIsAsDescribed() throws {
    #expect(try runner.run("seed", Self.shipped("gridco.json")).code == 0)
    #expect(
      try resources("roles", of: "gridco.example").map { $0["displayName"] } == ["Todo-er", "Todo Auditor", "Manager"])
    let tall = try #require(try resources("entitlements", of: "gridco.example").first)
    #expect(tall["id"] == "is_tall")
    #expect(tall["displayName"] == "This user is so tall")
    let users = try resources("users", of: "gridco.example")
    #expect(users.map { $0["externalId"] } == ["31", "32"])
    #expect(users.map { $0["userName"] } == ["somnus.henderson@gridco.example", "trinity@gridco.example"])
    #expect(users.map { $0["roles"]?.arrayValue?.map { $0["display"] } } == [nil, ["Todo-er"]])
    let keys = try runner.run("key", "list", "gridco.example", "--json").json?.arrayValue
    #expect(keys?.map { $0["role"] } == ["admin"])
    #expect(keys?.map { $0["profile"] } == ["interop"])
  }

  @Test func seedingTwiceChangesNothing() throws {
    let first = try runner.run("seed", Self.shipped("gridco.json"), Self.shipped("acme.json"), "--json")
    #expect(first.json?.arrayValue?.map { $0["unchanged"] } == [0, 0])
    let before = try runner.run("inspect", "users", "--org", "acme.example", "--json").output
    let again = try runner.run("seed", Self.shipped("gridco.json"), Self.shipped("acme.json"), "--json")
    #expect(again.json?.arrayValue?.map { $0["created"] } == [0, 0])
    #expect(try runner.run("inspect", "users", "--org", "acme.example", "--json").output == before)
  }

  @Test func membersAndManagersAreNamedBeforeTheyHaveIds() throws {
    _ = try runner.run("seed", Self.shipped("acme.json"))
    let users = try resources("users", of: "acme.example")
    let group = try #require(try resources("groups", of: "acme.example").first)
    let ids = users.map { $0["id"] }
    #expect(Set(group["members"]?.arrayValue?.map { $0["value"] } ?? []) == Set(ids))
    let work = users[1]["urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"]
    #expect(work?["manager"]?["value"] == ids[0])
  }

  @Test(
    "refused whole, with file, line and place",
    arguments: [
      (#""userName": "zoe"#, #""userNmae": "zoe"#, ":17:13: organizations[0].resources.User[0].userNmae: "),
      (#""active": true"#, #""active": "soon""#, ":21:13: organizations[0].resources.User[0].active: "),
      (
        #"[{ "value": "Manager" }]"#, #"[{ "value": "Boss" }]"#,
        ":23:25: organizations[0].resources.User[0].roles[0].value: "
      ),
      (
        #""value": "zoe.muller@acme.example" }, {"#, #""value": "nobody" }, {"#,
        ":42:27: organizations[0].resources.Group[0].members[0].value: "
      ),
    ])
  func refused(_ original: String, _ replacement: String, _ place: String) throws {
    let text = try String(contentsOfFile: Self.shipped("acme.json"), encoding: .utf8)
    let file = try runner.file("bad.json", text.replacingOccurrences(of: original, with: replacement))
    _ = try runner.run("org", "create", "other.example")
    let outcome = try runner.run("seed", Self.shipped("gridco.json"), file)
    #expect(outcome.code == 1)
    #expect(outcome.error.contains("bad.json") && outcome.error.contains(place), "\(outcome.error)")
    let organizations = try runner.run("org", "list", "--json").json?.arrayValue?.compactMap { $0["name"]?.stringValue }
    #expect(organizations?.contains("acme.example") == false)
  }

  @Test func checkOnlyChecks() throws {
    #expect(try runner.run("seed", "--check", Self.shipped("gridco.json"), Self.shipped("acme.json")).code == 0)
    #expect(!FileManager.default.fileExists(atPath: runner.database))
    let bad = try runner.file("bad.json", "{")
    #expect(try runner.run("seed", "--check", bad).code == 1)
  }

  @Test func aKeyOfAnotherOrganisationIsNotTaken() throws {
    _ = try runner.run("seed", Self.shipped("gridco.json"))
    let text = try String(contentsOfFile: Self.shipped("acme.json"), encoding: .utf8)
    let file = try runner.file("same.json", text.replacingOccurrences(of: "acme-demo-key", with: "123123"))
    let outcome = try runner.run("seed", file)
    #expect(outcome.code == 1)
    #expect(!outcome.error.contains("123123"))
  }

  /// Entries of one name, with nothing else that tells them apart, are known by their order.
  @Test func seedingTwiceChangesNothingOfTheCatalogue() throws {
    let file = try runner.file(
      "pro.json",
      #"""
      {"format": "roster-seed/1", "organizations": [{"name": "a.example", "catalog": "closed",
        "types": [{"name": "License", "endpoint": "/Licenses"}],
        "resources": {
          "Characteristic": [{"displayName": "Tall"}],
          "License": [{"displayName": "Pro"}, {"displayName": "pro"}, {"displayName": "Twin", "externalId": "e"},
            {"displayName": "Twin"}, {"displayName": "Basic"}],
          "User": [{"userName": "ann", "entitlements": [{"value": "Basic"}, {"value": "Tall"}]}]}}]}
      """#)
    let first = try runner.run("seed", file, "--json")
    #expect(first.json?.arrayValue?.first?["created"] == 8, "\(first.error)")
    for _ in 0..<2 {
      let again = try runner.run("seed", file, "--json")
      #expect(again.json?.arrayValue?.first?["created"] == 0, "\(again.error)")
      #expect(again.json?.arrayValue?.first?["unchanged"] == 8)
      #expect(again.error.isEmpty, "\(again.error)")
    }
    #expect(try resources("entitlements", of: "a.example").count == 6)
    let more = try runner.file(
      "more.json",
      #"""
      {"format": "roster-seed/1", "organizations": [{"name": "a.example", "resources": {
          "User": [{"userName": "bob", "entitlements": [{"value": "Basic"}]}]}}]}
      """#)
    #expect(try runner.run("seed", more).code == 0)
  }

  @Test func mistakesOfFilesHaveNothingInFrontOfTheirPlaces() throws {
    let bad = try runner.file("bad.json", "{\"format\": \"roster-seed/1\", \"a\": 1,\n\"b\": 2, \"organizations\": []}")
    let lines = try runner.run("seed", bad).error.split(separator: "\n")
    #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix(bad + ":") }, "\(lines)")
    let type = try runner.file("type.json", "{\n x}")
    _ = try runner.run("org", "create", "a.example")
    #expect(try runner.run("type", "add", type).error == type + ":2:2: the character 'x' is not allowed here\n")
  }

  @Test func generatedTenantsCanBeRepeatedAndFinished() throws {
    let first = try runner.run("seed", "--generate", "40", "--org", "a.example", "--json")
    #expect(first.code == 0, "\(first.error)")
    #expect(first.error.isEmpty)
    let again = try runner.run("seed", "--generate", "40", "--org", "a.example", "--json")
    #expect(again.json?.arrayValue?.first?["created"] == 0)
    #expect(again.json?.arrayValue?.first?["unchanged"] == first.json?.arrayValue?.first?["created"])
    let other = try runner.run("seed", "--generate", "40", "--org", "b.example", "--json")
    #expect(other.json?.arrayValue?.first?["created"] == first.json?.arrayValue?.first?["created"])
    let names = try ["a.example", "b.example"].map { try resources("users", of: $0).map { $0["displayName"] } }
    #expect(names[0].count == 40)
    #expect(names[0] == names[1])
  }

  @Test func whatExistsAndDiffersIsReportedAndLeftAsItIs() throws {
    _ = try runner.run("seed", Self.shipped("acme.json"))
    #expect(try runner.run("seed", Self.shipped("acme.json")).error.isEmpty)
    let text = try String(contentsOfFile: Self.shipped("acme.json"), encoding: .utf8)
    let changed = text.replacing("\"displayName\": \"Zoë Müller\"", with: "\"displayName\": \"Zoe\"")
      .replacing("\"department\": \"Warehouse\"", with: "\"department\": \"Sales\"")
      .replacing(
        "[{ \"value\": \"Manager\" }]", with: "[{ \"value\": \"Manager\" }, { \"value\": \"Warehouse Clerk\" }]"
      )
      .replacing("{ \"value\": \"zoe.muller@acme.example\" }, {", with: "{")
      .replacing("\"role\": \"admin\"", with: "\"role\": \"reader\"").replacing("\"closed\"", with: "\"open\"")
    let before = try runner.run("inspect", "users", "--json").output
    let file = try runner.file("changed.json", changed)
    let outcome = try runner.run("seed", file)
    #expect(outcome.code == 0)
    #expect(outcome.output == "acme.example: 0 created, 6 already exist\n")
    let differs = "already exists and differs in"
    let place = "organizations[0]"
    for part in [
      "\(place): \(differs) catalog; it was not changed", "\(place).keys[0]: \(differs) role;",
      "changed.json:16:11: \(place).resources.User[0]: \(differs) displayName, roles;",
      "\(place).resources.User[1]: \(differs) urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department;",
      "\(place).resources.Group[0]: \(differs) members;",
    ] { #expect(outcome.error.contains(part), "\(part)\n\(outcome.error)") }
    #expect(outcome.error.split(separator: "\n").count == 5)
    #expect(try runner.run("inspect", "users", "--json").output == before)
    #expect(try runner.run("seed", file, "--json").json?.arrayValue?.first?["different"] == 5)
  }

  @Test func settingsOfAnOrganisationAreThoseOfOrgCreate() throws {
    func file(_ settings: String, _ resources: String = "{}") throws -> String {
      try runner.file(
        "settings.json",
        #"{"format": "roster-seed/1", "organizations": [{"name": "a.example"\#(settings), "resources": \#(resources)}]}"#
      )
    }
    let all =
      #", "catalog": "closed", "grants": true, "groupNames": "free", "externalIds": "unique", "announced": "none""#
    let groups = #"{"Group": [{"displayName": "g", "externalId": "1"}, {"displayName": "g", "externalId": "2"}]}"#
    #expect(try runner.run("seed", file(all, groups)).output == "a.example: 2 created, 0 already exist\n")
    let shown = try runner.run("org", "show", "a.example", "--json").json
    for (name, value) in [
      ("catalog", "closed"), ("grants", true), ("groupNames", "free"), ("externalIds", "unique"),
      ("announced", "none"),
    ] as [(String, JSON)] { #expect(shown?[name] == value, "\(name)") }
    // Groups of one name are told apart by externalId or id; what cannot be told apart is a mistake.
    #expect(try runner.run("seed", file(all, groups)).output == "a.example: 0 created, 2 already exist\n")
    for (members, isRefused) in [
      (#"{"displayName": "h"}, {"displayName": "H"}"#, true),
      (#"{"displayName": "h", "id": "h1"}, {"displayName": "h"}"#, true),
      (#"{"displayName": "h", "id": "h1"}, {"displayName": "h", "id": "h2"}"#, false),
    ] {
      let outcome = try runner.run("seed", "--check", file(all, #"{"Group": [\#(members)]}"#))
      #expect((outcome.code == 1) == isRefused, "\(members) \(outcome.error)")
      #expect(outcome.error.contains("displayName must be unique where no id tells") == isRefused)
    }
    // What a file leaves out says nothing of an organisation that exists; what it says and is otherwise is reported.
    #expect(try runner.run("seed", file("")).error.isEmpty)
    #expect(try runner.run("seed", file(all)).error.isEmpty)
    let other =
      #", "catalog": "open", "grants": false, "groupNames": "unique", "externalIds": "free", "announced": "pagination""#
    let outcome = try runner.run("seed", file(other))
    #expect(outcome.code == 0)
    #expect(
      outcome.error.contains("differs in catalog, grants, groupNames, externalIds, announced; it was not changed"))
    let same = #"{"Group": [{"displayName": "x", "externalId": "1"}, {"displayName": "y", "externalId": "1"}]}"#
    let refused = try runner.run("seed", file(all, same))
    #expect(refused.code == 1 && refused.error.contains("externalId must be unique"), "\(refused.error)")
    #expect(
      try runner.run("seed", file(#", "announced": "all""#)).error.contains("must be \"none\", or one or more of"))
  }

  @Test func whatWasDeletedStaysDeleted() throws {
    _ = try runner.run("seed", Self.shipped("gridco.json"))
    let connection = try SQLiteDriver(path: runner.database).connect(.writer)
    try connection.execute("INSERT INTO deleted_id (org, id) SELECT id, 'r2' FROM organization")
    connection.close()
    let other = try runner.file(
      "roles.json",
      #"{"format": "roster-seed/1", "organizations": [{"name": "gridco.example", "resources": {"Role": [{"id": "r2", "displayName": "R2"}, {"id": "r3", "displayName": "R3"}]}}]}"#
    )
    let outcome = try runner.run("seed", other)
    #expect(outcome.code == 0)
    #expect(outcome.output == "gridco.example: 1 created, 0 already exist\n")
    #expect(outcome.error.contains("Role[0]: was deleted, and its id is not issued again"), "\(outcome.error)")
  }

  @Test func theTypeOfAMemberSaysWhichIsMeant() throws {
    let file = try runner.file(
      "sales.json",
      """
      {"format": "roster-seed/1", "organizations": [{"name": "a.example", "resources": {
        "User": [{"id": "u", "userName": "sales"}],
        "Group": [{"id": "g", "displayName": "sales"},
          {"id": "h", "displayName": "Hall", "members": [{"value": "sales", "type": "Group"}]},
          {"id": "i", "displayName": "Inn", "members": [{"value": "sales", "type": "User"}]}]}}]}
      """)
    let outcome = try runner.run("seed", file)
    #expect(outcome.code == 0, "\(outcome.error)")
    let connection = try SQLiteDriver(path: runner.database).connect(.writer)
    let statement = try connection.prepare(
      "SELECT o.id, t.id FROM link l JOIN resource o ON o.pk = l.owner JOIN resource t ON t.pk = l.target ORDER BY o.id"
    )
    var members: [String] = []
    while try statement.step() { members.append(statement.text(0) + statement.text(1)) }
    #expect(members == ["hg", "iu"])
    statement.reset()
    connection.close()
  }

  @Test func nobodyIsTakenForAnotherWithTheSameExternalID() throws {
    func seed(_ name: String) throws -> CommandRunner.Outcome {
      try runner.run(
        "seed",
        try runner.file(
          "seed.json",
          """
          {"format": "roster-seed/1", "organizations": [{"name": "a.example", "resources": {
            "User": [{"userName": "\(name)", "externalId": "1"}]}}]}
          """))
    }
    _ = try seed("ann")
    // Created, or refused where the organisation has them unique: never passed over.
    let second = try seed("bob")
    #expect(second.output == "a.example: 1 created, 0 already exist\n" || second.code == 1)
  }

  @Test func theMistakesOfAllFilesAreTold() throws {
    let first = try runner.file("a.json", #"{"format": "roster-seed/1", "organizations": [{"name": "A", "x": 1}]}"#)
    let second = try runner.file("b.json", "[]")
    let outcome = try runner.run("seed", first, second)
    #expect(outcome.code == 1)
    #expect(outcome.error.split(separator: "\n").count == 3, "\(outcome.error)")
    let json = try JSON(parsing: Array(try runner.run("seed", first, second, "--json").error.utf8))
    #expect(json["mistakes"]?.arrayValue?.map { $0["line"] } == [1, 1, 1])
  }

  @Test func aCheckOfAGeneratedTenantWritesNothing() throws {
    let outcome = try runner.run("seed", "--check", "--generate", "40", "--org", "a.example")
    #expect(outcome.code == 0)
    #expect(outcome.output == "a.example: would generate 40 users and 16 groups. Nothing was written.\n")
    #expect(!FileManager.default.fileExists(atPath: runner.database))
  }

  @Test func whatWasStoppedCanBeFinished() throws {
    let generator = TenantGenerator(count: 6000, seed: 1, domain: "a.example")
    let registry = BuiltInSchemas.registry
    let store = try Database.open(runner.database, registry: registry)
    defer { store.close() }
    let load = GeneratedImport(generator: generator, registry: registry)
    var asked = 0
    let first = try load.run(into: store) {
      asked += 1
      return asked == 2
    }
    #expect(!first.isComplete)
    #expect(asked == 2)
    #expect(first.summary.created == 19 + 5000)
    let second = try load.run(into: store)
    #expect(second.isComplete)
    #expect(second.summary.unchanged == 5019)
    #expect(second.summary.created == 1000 + generator.groupCount)
  }

  @Test func aSignalIsSeenOnceAndTheNextOneEndsTheProcess() throws {
    // A process of its own, since signals are the whole process's.
    let process = runner.process(["seed", "--generate", "1000000", "--org", "a.example"])
    let error = Pipe()
    process.standardError = error
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    // Once the database exists, the signals are held back.
    while !FileManager.default.fileExists(atPath: runner.database), process.isRunning { sched_yield() }
    process.interrupt()
    process.waitUntilExit()
    let text = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(process.terminationReason == .exit && process.terminationStatus == 1)
    #expect(text.contains("Run the same command again to add the rest."), "\(text)")
  }

  @Test func usage() throws {
    #expect(try runner.run("seed").code == 2)
    #expect(try runner.run("seed", "--generate", "0").code == 2)
    #expect(try runner.run("seed", "--generate", "5", "x.json").code == 2)
    #expect(try runner.run("seed", "nowhere.json").code == 1)
  }
}
