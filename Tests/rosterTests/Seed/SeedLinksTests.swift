import SCIMCore
import Testing

@testable import roster

/// What a seed file refers to is looked for before anything is written, by the rules of the write.
@Suite struct SeedLinksTests {
  let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  private static let draft = "urn:ietf:params:scim:schemas:core:2.0:Role"
  private static let enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
  private static let grants = "urn:roster:scim:schemas:extension:grants:1.0:Group"

  private func file(_ name: String, _ resources: String, catalog: String = "closed", more: String = "") throws -> String
  {
    try runner.file(
      name,
      """
      {"format": "roster-seed/1", "organizations": [{"name": "a.example", "catalog": "\(catalog)", "grants": true,
      "resources": {
      \(resources)
      }}\(more)]}
      """)
  }

  /// What the database has in the tests that begin with one.
  private static let stored = """
    "Role": [{"id": "r1", "displayName": "Editor"}, {"id": "r2", "displayName": "Twin", "\(draft)": {"value": "ed"}},
      {"id": "r3", "displayName": "Other", "\(draft)": {"value": "twin"}}],
    "Characteristic": [{"id": "tall", "displayName": "Tall"}],
    "User": [{"id": "u1", "userName": "ann"}],
    "Group": [{"id": "g1", "displayName": "Crew"}]
    """

  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var resources: String
    /// The mistakes, with line and place; none where the file is taken.
    var mistakes: [String] = []
    /// True where what it refers to is in the database.
    var needsDatabase = false
    var testDescription: String { name }
  }

  static let rows: [Row] = [
    Row(
      name: "names, ids and draft values of what stands before",
      resources: """
        "User": [{"userName": "bob", "roles": [{"value": "EDITOR2"}, {"value": "x"}, {"value": "e2"}],
          "entitlements": [{"value": "small", "type": "Characteristic"}]}],
        "Role": [{"id": "e2", "displayName": "Editor2"}, {"displayName": "X2", "\(draft)": {"value": "X"}}],
        "Characteristic": [{"id": "small", "displayName": "Small"}],
        "Group": [{"displayName": "One", "members": [{"value": "bob"}]},
          {"displayName": "Two", "members": [{"value": "One", "type": "group"}], "\(grants)": {"roles": [{"value": "e2"}]}}]
        """),
    Row(
      name: "members that do not exist, and one that stands behind",
      resources: """
        "User": [{"userName": "bob"}],
        "Group": [{"displayName": "One", "members": [{"value": "bob"}, {"value": "nobody"},
          {"value": "Two"}]},
        {"displayName": "Two", "members": [{"value": "bob", "type": "Group"}]}]
        """,
      mistakes: [
        ":4:65: organizations[0].resources.Group[0].members[1].value: names 'nobody', which is no resource",
        ":5:4: organizations[0].resources.Group[0].members[2].value: names 'Two'",
        ":6:37: organizations[0].resources.Group[1].members[0].value: names 'bob'",
      ]),
    Row(
      name: "what a closed catalogue lacks, in users and in grants",
      resources: """
        "Role": [{"displayName": "A"}],
        "User": [{"userName": "bob", "roles": [{"value": "A"}, {"value": "Boss"}],
          "entitlements": [{"value": "A"}, {"type": "x"}]}],
        "Group": [{"displayName": "One", "\(grants)": {"roles": [{"value": "Chief"}]}}]
        """,
      mistakes: [
        "User[0].roles[1].value: names 'Boss', which is not in the catalogue",
        "User[0].entitlements[0].value: names 'A'", "User[0].entitlements[1]: names an element without a value",
        "Group[0].\"\(grants)\".roles[0].value: names 'Chief'",
      ]),
    Row(
      name: "a name that two have names neither",
      resources: """
        "Role": [{"displayName": "A"}, {"displayName": "B", "\(draft)": {"value": "a"}}],
        "User": [{"userName": "bob", "roles": [{"value": "A"}]}]
        """,
      mistakes: [
        "User[0].roles[0].value: 2 entries of this organisation's catalogue are called 'A'; name one by its id"
      ]),
    Row(
      name: "a type that there is not",
      resources: """
        "Characteristic": [{"displayName": "Tall"}],
        "User": [{"userName": "bob", "entitlements": [{"value": "Tall", "type": "Characteristics"}]}]
        """,
      mistakes: ["entitlements[0].value: there is no type 'Characteristics'; did you mean 'Characteristic'?"]),
    Row(
      name: "managers that stand later, by name and by id",
      resources: """
        "User": [{"userName": "ann", "\(enterprise)": {"manager": {"value": "bob"}}},
          {"userName": "cid", "\(enterprise)": {"manager": {"value": "u9"}}},
          {"id": "u9", "userName": "bob", "\(enterprise)": {"manager": {"value": "ann"}}},
          {"userName": "dan", "\(enterprise)": {"manager": {"value": "dan"}}}]
        """,
      mistakes: [
        ":3:105: organizations[0].resources.User[0].\"\(enterprise)\".manager.value: names 'bob', which does not stand before "
          + "it in the file; move that before this one, or give it an id and name it by that",
        "User[3].\"\(enterprise)\".manager.value: names 'dan', which does not stand",
      ]),
    Row(
      name: "what the database has",
      resources: """
        "User": [{"userName": "bob", "roles": [{"value": "editor"}, {"value": "ed"}, {"value": "r3"}],
          "entitlements": [{"value": "tall"}]}],
        "Group": [{"displayName": "One", "members": [{"value": "u1"}, {"value": "g1", "type": "Group"}, {"value": "bob"}]}]
        """, needsDatabase: true),
    Row(
      name: "two of a name in the database, and one there and one in the file",
      resources: """
        "Role": [{"displayName": "New", "\(draft)": {"value": "Editor"}}],
        "User": [{"userName": "bob", "roles": [{"value": "twin"}, {"value": "editor"}]}]
        """,
      mistakes: [
        "User[0].roles[0].value: 2 entries of this organisation's catalogue are called 'twin'",
        "User[0].roles[1].value: 2 entries of this organisation's catalogue are called 'editor'",
      ], needsDatabase: true),
    Row(
      name: "ids of another type, and names that only ids of the database have",
      resources: """
        "Group": [{"displayName": "One", "members": [{"value": "u1", "type": "Group"}, {"value": "r1"}, {"value": "ann"}]}]
        """,
      mistakes: ["members[0].value: names 'u1'", "members[1].value: names 'r1'", "and no id in the database"],
      needsDatabase: true),
    Row(
      name: "what exists is not looked at",
      resources: """
        "User": [{"userName": "ANN", "roles": [{"value": "Boss"}]}],
        "Group": [{"id": "g1", "displayName": "Crew", "members": [{"value": "nobody"}]},
          {"displayName": "One", "members": [{"value": "ANN"}]}]
        """, needsDatabase: true),
  ]

  @Test(arguments: rows)
  func checkSaysWhatSeedWouldRefuse(_ row: Row) throws {
    if row.needsDatabase { try #require(try runner.run("seed", file("stored.json", Self.stored)).code == 0) }
    let before = try runner.run("inspect", "orgs", "--json").output
    // The catalogue is that of the database where the organisation is in it.
    let path = try file("new.json", row.resources, catalog: row.needsDatabase ? "open" : "closed")
    let checked = try runner.run("seed", "--check", path)
    #expect((checked.code == 0) == row.mistakes.isEmpty, "\(checked.error)")
    for mistake in row.mistakes { #expect(checked.error.contains(mistake), "\(checked.error)") }
    #expect(try runner.run("inspect", "orgs", "--json").output == before)
    let seeded = try runner.run("seed", path)
    #expect((seeded.code == 0) == row.mistakes.isEmpty, "\(seeded.error)")
    if !row.mistakes.isEmpty { #expect(try runner.run("inspect", "orgs", "--json").output == before) }
  }

  @Test func anOpenCatalogueKeepsWhatMatchesNothing() throws {
    let path = try file("open.json", #""User": [{"userName": "bob", "roles": [{"value": "Boss"}]}]"#, catalog: "open")
    #expect(try runner.run("seed", "--check", path).code == 0)
    #expect(try runner.run("seed", path).code == 0)
  }

  @Test func aFileMayReferToWhatOneBeforeItHas() throws {
    let first = try file("first.json", #""Role": [{"displayName": "A"}], "User": [{"userName": "bob"}]"#)
    let second = try file(
      "second.json",
      #""User": [{"userName": "cid", "roles": [{"value": "A"}]}], "Group": [{"displayName": "G", "members": [{"value": "cid"}]}]"#
    )
    #expect(try runner.run("seed", "--check", second).code == 1)
    #expect(try runner.run("seed", "--check", first, second).code == 0)
    #expect(try runner.run("seed", first, second).code == 0)
  }

  @Test func theSameInTwoFilesIsOneEntry() throws {
    let first = try file("first.json", #""Characteristic": [{"displayName": "Pro"}], "Role": [{"displayName": "A"}]"#)
    let second = try file(
      "second.json",
      #"""
      "Characteristic": [{"displayName": "pro"}], "Role": [{"displayName": "A"}],
      "User": [{"userName": "bob", "entitlements": [{"value": "Pro"}], "roles": [{"value": "a"}]}]
      """#)
    let checked = try runner.run("seed", "--check", first, second)
    #expect(checked.code == 0, "\(checked.error)")
    #expect(try runner.run("seed", first, second).code == 0)
    #expect(try runner.run("seed", first, second, "--json").json?.arrayValue?.map { $0["created"] } == [0, 0])
  }

  @Test func aManagerWhoIsNobodyIsNotedAndKept() throws {
    let path = try file(
      "new.json",
      #"""
      "User": [{"userName": "bob", "\#(Self.enterprise)": {"manager": {"value": "someone"}}},
        {"userName": "cid", "\#(Self.enterprise)": {"manager": {"value": "bob"}}}]
      """#)
    let note =
      ":3:105: organizations[0].resources.User[0].\"\(Self.enterprise)\".manager.value: names 'someone', which is no"
      + " resource of the file; it is kept as sent\n"
    let checked = try runner.run("seed", "--check", path)
    #expect(checked.code == 0 && checked.error == path + note, "\(checked.error)")
    let notes = try runner.run("seed", "--check", path, "--json").json?["notes"]?.arrayValue
    #expect(notes?.count == 1 && notes?.first?["line"] == 3, "\(notes ?? [])")
    let seeded = try runner.run("seed", path)
    #expect(seeded.code == 0 && seeded.error == path + note, "\(seeded.error)")
    // What exists is left as it is.
    #expect(try runner.run("seed", path).error.isEmpty)
    let other = try file(
      "other.json", #""User": [{"userName": "dan", "\#(Self.enterprise)": {"manager": {"value": "bob"}}}]"#)
    let json = try runner.run("seed", other, "--json")
    #expect(json.error.isEmpty)
    #expect(
      json.json?.arrayValue?.first?["notes"]?.arrayValue?.first?["message"]
        == "names 'bob', which is no resource of the file, and no id in the database; it is kept as sent")
  }

  @Test func otherOrganisationsHaveNothingForIt() throws {
    let path = try file(
      "two.json", #""Role": [{"displayName": "A"}], "User": [{"id": "u1", "userName": "bob"}]"#,
      more: """
        , {"name": "b.example", "catalog": "closed", "resources": {
          "User": [{"userName": "cid", "roles": [{"value": "A"}]}],
          "Group": [{"displayName": "G", "members": [{"value": "u1"}]}]}}
        """)
    let outcome = try runner.run("seed", "--check", path)
    #expect(outcome.code == 1)
    #expect(outcome.error.contains("organizations[1].resources.User[0].roles[0].value: names 'A'"), "\(outcome.error)")
    #expect(outcome.error.contains("organizations[1].resources.Group[0].members[0].value: names 'u1'"))
    #expect(!outcome.error.contains("organizations[0]"))
  }
}
