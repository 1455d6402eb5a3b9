import SCIMCore
import Testing

@testable import roster

/// `seed --check` writes on trial what reading cannot judge, and undoes it.
@Suite struct SeedTrialTests {
  let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  private static let draft = "urn:ietf:params:scim:schemas:core:2.0:Role"
  private static let limited = #""\#(draft)": {"limitedAssignmentsPermitted": true, "totalAssignmentsPermitted": 1}"#

  private func file(_ name: String, _ resources: String, organization: String = "a.example", keys: String = "") throws
    -> String
  {
    try runner.file(
      name,
      #"{"format": "roster-seed/1", "organizations": [{"name": "\#(organization)"\#(keys), "resources": {\#(resources)}}]}"#
    )
  }

  /// What the database has.
  private static let stored = """
    "Role": [{"id": "one", "displayName": "One", \(limited)}],
    "User": [{"id": "u1", "userName": "ann", "roles": [{"value": "one"}]}]
    """

  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var resources: String
    /// Nil where the file is taken.
    var mistake: String?
    var needsDatabase = false
    var testDescription: String { name }
  }

  static let rows: [Row] = [
    Row(
      name: "one assignment too many",
      resources: """
        "Role": [{"displayName": "Two", \(limited)}],
        "User": [{"userName": "bob", "roles": [{"value": "Two"}]}, {"userName": "cid", "roles": [{"value": "Two"}]}]
        """,
      mistake: "organizations[0].resources.User[1].roles: "),
    Row(
      name: "one too many of what the database has",
      resources: #""User": [{"userName": "bob", "roles": [{"value": "one"}]}]"#,
      mistake: "organizations[0].resources.User[0].roles: ", needsDatabase: true),
    Row(
      name: "a circle of roles",
      resources: """
        "Role": [{"displayName": "A", "\(draft)": {"contains": ["B"]}}, {"displayName": "B", "\(draft)": {"contains": ["A"]}}]
        """,
      mistake: "organizations[0].resources.Role[1]"),
    Row(
      name: "a name that another id has in the database", resources: #""User": [{"id": "u2", "userName": "Ann"}]"#,
      mistake: "organizations[0].resources.User[0].userName: ", needsDatabase: true),
    Row(
      name: "an id that another type has in the database", resources: #""User": [{"id": "one", "userName": "bob"}]"#,
      mistake: "organizations[0].resources.User[0]", needsDatabase: true),
    Row(
      name: "what is taken",
      resources: #""User": [{"userName": "bob", "password": "t1meMa$heen"}, {"userName": "ann"}]"#,
      needsDatabase: true),
  ]

  @Test(arguments: rows)
  func checkSaysWhatTheStoreWouldRefuse(_ row: Row) throws {
    if row.needsDatabase { try #require(try runner.run("seed", file("stored.json", Self.stored)).code == 0) }
    let before = try runner.run("inspect", "users", "--json").output
    let path = try file("new.json", row.resources)
    let checked = try runner.run("seed", "--check", path)
    #expect(checked.code == (row.mistake == nil ? 0 : 1), "\(checked.error)")
    if let mistake = row.mistake {
      #expect(checked.error.contains("new.json") && checked.error.contains(mistake), "\(checked.error)")
    }
    #expect(try runner.run("inspect", "users", "--json").output == before)
    if row.needsDatabase { #expect(try runner.run("check").code == 0) }
    #expect(try runner.run("seed", path).code == checked.code)
  }

  @Test func aKeyOfAnotherOrganisationIsAMistake() throws {
    let keys = #", "keys": [{"secret": "abcdefgh"}]"#
    let first = try file("first.json", "", organization: "b.example", keys: keys)
    let second = try file("second.json", "", keys: keys)
    try #require(try runner.run("seed", first).code == 0)
    let outcome = try runner.run("seed", "--check", second)
    #expect(outcome.code == 1 && outcome.error.contains("in use by another organisation"), "\(outcome.error)")
    #expect(outcome.error.contains("second.json:1:"), "\(outcome.error)")
    #expect(outcome.error.contains("organizations[0].keys[0].secret: "), "\(outcome.error)")
    #expect(!outcome.error.contains("abcdefgh"))
    // Also where the file is too long for a trial in the database.
    let users = (0..<4000).map { #"{"userName": "u\#($0)"}"# }.joined(separator: ", ")
    let long = try file("long.json", #""User": [\#(users)]"#, keys: keys)
    #expect(try runner.run("seed", "--check", long).code == 1)
    // And between organisations of one file.
    let twice = try runner.file(
      "twice.json",
      #"""
      {"format": "roster-seed/1", "organizations": [
        {"name": "c.example", "keys": [{"secret": "stuvwxyz"}]}, {"name": "d.example", "keys": [{"secret": "stuvwxyz"}]}]}
      """#)
    let mistake = try runner.run("seed", "--check", twice).error
    #expect(mistake.contains("twice.json:2:92: organizations[1].keys[0].secret: "), "\(mistake)")
  }

  @Test func whatIsTriedSaysSo() throws {
    let path = try file("new.json", #""User": [{"userName": "ann"}]"#)
    #expect(try runner.run("seed", "--check", path, "--json").json == ["validFiles": 1, "tried": true, "notes": []])
  }

  @Test func aLongFileIsTriedOnlyWhereItsOrganisationIsNew() throws {
    try #require(try runner.run("seed", file("stored.json", Self.stored)).code == 0)
    let users = (0..<4000).map { #"{"userName": "u\#($0)"}"# }.joined(separator: ", ")
    let late = #", {"userName": "z", "roles": [{"value": "Two"}]}, {"userName": "y", "roles": [{"value": "Two"}]}"#
    let resources = #""Role": [{"displayName": "Two", \#(Self.limited)}], "User": [\#(users + late)]"#
    let present = try runner.run("seed", "--check", file("present.json", resources))
    #expect(present.code == 0 && present.error.hasPrefix("too long to be tried"), "\(present.error)")
    #expect(present.output == "1 file is valid; not tried in the database.\n")
    let json = try runner.run("seed", "--check", file("present.json", resources), "--json")
    #expect(json.json?["tried"] == false && json.error.isEmpty, "\(json.error)")
    let new = try runner.run("seed", "--check", file("new.json", resources, organization: "new.example"))
    #expect(new.code == 1 && new.error.contains("User[4001].roles: "), "\(new.error)")
    #expect(try runner.run("inspect", "users", "--json").json?["totalResults"] == 1)
  }
}
