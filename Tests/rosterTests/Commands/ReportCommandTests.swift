import Foundation
import SCIMCore
import Testing

@testable import roster

@Suite struct ReportCommandTests {
  let runner: CommandRunner

  init() throws {
    runner = try CommandRunner()
    // Two organisations, so that --org is needed and a leak would show.
    for name in ["a.example", "b.example"] {
      let seed = try runner.file(
        "seed.json",
        """
        {"format": "roster-seed/1", "organizations": [{"name": "\(name)", "resources": {
          "Role": [{"displayName": "Top", "urn:ietf:params:scim:schemas:core:2.0:Role": {"contains": ["Mid"]}},
            {"displayName": "Mid", "urn:ietf:params:scim:schemas:core:2.0:Role": {"contains": ["Low"]}},
            {"displayName": "Low"}, {"displayName": "Never"}],
          "User": [{"userName": "u-\(name)", "displayName": "=1, \\"q\\"", "active": true,
            "roles": [{"value": "Top"}, {"value": "Low"}, {"value": "Lost", "display": "Lost one"}]},
            {"userName": "nobody-\(name)"}]}}]}
        """)
      try #require(try runner.run("seed", seed).code == 0)
    }
  }

  private func access() throws -> [JSON] {
    let outcome = try runner.run("report", "access", "--org", "a.example", "--format", "json")
    try #require(outcome.code == 0, "\(outcome.error)")
    return try #require(outcome.json?.arrayValue)
  }

  @Test func everyWayHasARow() throws {
    let rows = try access()
    #expect(rows.map { $0["display"] } == ["Top", "Mid", "Low", "Low", "Lost one"])
    #expect(rows.map { $0["how"] } == ["direct", "contained", "contained", "direct", "direct"])
    #expect(rows.map { $0["viaDisplay"] } == [.null, "Top", "Top", .null, .null])
    #expect(rows.map { $0["linked"] } == [true, true, true, true, false])
    #expect(rows.allSatisfy { $0["userName"] == "u-a.example" && $0["active"] == true && $0["kind"] == "role" })
    #expect(rows[1]["via"] == rows[0]["value"])
  }

  @Test func whatGroupsGrantHasRowsOfItsOwn() throws {
    let seed = try runner.file(
      "grants.json",
      """
      {"format": "roster-seed/1", "organizations": [{"name": "g.example", "grants": true, "resources": {
        "Role": [{"id": "top", "displayName": "Top", "urn:ietf:params:scim:schemas:core:2.0:Role": {"contains": ["low"]}},
          {"id": "low", "displayName": "Low"}, {"id": "never", "displayName": "Never"}],
        "User": [{"id": "a", "userName": "a", "roles": [{"value": "top"}]}, {"id": "b", "userName": "b"},
          {"id": "c", "userName": "c"}],
        "Group": [
          {"id": "g1", "displayName": "G1", "members": [{"value": "a"}, {"value": "b"}],
            "\(GroupGrants.urn)": {"roles": [{"value": "low"}]}},
          {"id": "g2", "displayName": "G2", "members": [{"value": "g1"}],
            "\(GroupGrants.urn)": {"roles": [{"value": "top"}, {"value": "Lost"}]}},
          {"id": "g3", "displayName": "G3", "\(GroupGrants.urn)": {"roles": [{"value": "never"}]}}]}}]}
      """)
    try #require(try runner.run("seed", seed).code == 0)
    let outcome = try runner.run("report", "access", "--org", "g.example", "--format", "json")
    let rows = (outcome.json?.arrayValue ?? []).map { row in
      ["userId", "value", "how", "via"].map { row[$0]?.stringValue ?? "-" }.joined(separator: " ")
    }
    #expect(
      rows == [
        "a top direct -", "a low contained top", "a low group g1", "a top group g2",
        "b low group g1", "b top group g2", "b low contained top",
      ])
    // Granted by a group that nobody is in: still of use to it.
    let unused = try runner.run("report", "unused", "--org", "g.example", "--format", "json")
    #expect(unused.json == [])
    let orphans = try runner.run("report", "orphans", "--org", "g.example", "--format", "json")
    #expect(orphans.json?.arrayValue?.map { $0["value"] } == ["Lost"])
    #expect(orphans.json?.arrayValue?.first?["firstHolder"] == "G2")
  }

  @Test func partsOfWhatNobodyHasFromAGroupAreUnused() throws {
    func role(_ id: String, _ parts: String = "") -> String {
      #"{"id": "\#(id)", "displayName": "\#(id)", "urn:ietf:params:scim:schemas:core:2.0:Role": {"contains": [\#(parts)]}}"#
    }
    func group(_ id: String, _ members: String, _ roles: String) -> String {
      #"{"id": "\#(id)", "displayName": "\#(id)", "members": [\#(members)], "\#(GroupGrants.urn)": {"roles": [\#(roles)]}}"#
    }
    let roles = [
      role("empty", #""empty-part", "both-part""#), role("empty-part"), role("both-part"),
      role("full", #""full-part", "both-part""#), role("full-part"), role("above", #""above-part""#),
      role("above-part"),
    ]
    let groups = [
      group("g1", "", #"{"value": "empty"}"#), group("g2", #"{"value": "a"}"#, #"{"value": "full"}"#),
      // One above a group with a member, and one above a group without.
      group("g3", #"{"value": "g1"}, {"value": "g2"}"#, #"{"value": "above"}"#),
      group("g4", #"{"value": "g1"}"#, #"{"value": "empty"}"#),
    ]
    let seed = try runner.file(
      "parts.json",
      """
      {"format": "roster-seed/1", "organizations": [{"name": "p.example", "grants": true, "resources": {
        "Role": [\(roles.joined(separator: ","))], "User": [{"id": "a", "userName": "a"}],
        "Group": [\(groups.joined(separator: ","))]}}]}
      """)
    try #require(try runner.run("seed", seed).code == 0)
    let unused = try runner.run("report", "unused", "--org", "p.example", "--format", "json")
    #expect(unused.json?.arrayValue?.map { $0["value"] } == ["empty-part"])
  }

  @Test func csvAndFiles() throws {
    let file = runner.directory.appendingPathComponent("access.csv").path
    let outcome = try runner.run("report", "access", "--org", "b.example", "--spreadsheet", "--output", file)
    #expect(outcome.code == 0 && outcome.output.isEmpty && outcome.error.isEmpty, "\(outcome.error)")
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self)
    let lines = text.components(separatedBy: "\r\n")
    #expect(lines.count == 7 && lines.last == "")
    #expect(lines[0].hasPrefix("\u{FEFF}userId,userName,"))
    #expect(lines[1].contains(",u-b.example,\"'=1, \"\"q\"\"\",true,role,Role,"))
    #expect(!text.contains("a.example"))
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func aFailureLeavesNoFile() throws {
    let file = runner.directory.appendingPathComponent("no/such/folder.csv").path
    let outcome = try runner.run("report", "access", "--org", "a.example", "--output", file)
    #expect(outcome.code == 1)
    #expect(outcome.error.contains("folder.csv"))
    #expect(try runner.run("report", "access", "--org", "a.example", "--output", "/dev/full").code == 1)
    let left = try FileManager.default.contentsOfDirectory(atPath: runner.directory.path)
    #expect(!left.contains { $0.contains("partial") })
  }

  @Test func unusedAndOrphans() throws {
    let unused = try runner.run("report", "unused", "--org", "a.example", "--format", "json").json?.arrayValue
    #expect(unused?.map { $0["display"] } == ["Never"])
    let orphans = try runner.run("report", "orphans", "--org", "a.example", "--format", "json").json?.arrayValue
    #expect(orphans?.map { $0["value"] } == ["Lost"])
    #expect(orphans?.first?["holders"] == 1)
    #expect(orphans?.first?["candidate"] == .null)
    let table = try runner.run("report", "unused", "--org", "a.example")
    #expect(table.output.contains("DISPLAY") && table.output.contains("Never"))
    _ = try runner.run("org", "create", "empty.example")
    for kind in ["access", "unused", "orphans"] {
      #expect(try runner.run("report", kind, "--org", "empty.example", "--format", "json").output == "[]\n")
    }
  }

  @Test func theCandidateOfAnOrphanIsOfItsType() throws {
    let seed = try runner.file(
      "duty.json",
      """
      {"format": "roster-seed/1", "organizations": [{"name": "d.example",
        "types": [{"name": "Duty", "endpoint": "/Duties", "schema": "urn:okta:scim:schemas:core:1.0:Role",
          "extension": {"schema": "urn:acme:scim:schemas:extension:app:1.0:Duty", "attributes": [{"name": "note"}]}}],
        "resources": {
          "Role": [{"displayName": "Clerk"}],
          "User": [{"userName": "a", "roles": [{"value": "Clerk", "type": "Duty"}]}]}}]}
      """)
    let seeded = try runner.run("seed", seed)
    try #require(seeded.code == 0, "\(seeded.error)")
    let orphans = try runner.run("report", "orphans", "--org", "d.example", "--format", "json").json?.arrayValue
    #expect(orphans?.map { $0["value"] } == ["Clerk"])
    #expect(orphans?.first?["candidate"] == .null)
  }

  @Test func typesOfAnOrganisationsOwn() async throws {
    let type = try runner.file("license.json", TypeCommandTests.license)
    try #require(try runner.run("type", "add", type, "--org", "a.example").code == 0)
    let key = try #require(try runner.run("key", "create", "a.example", "--role", "admin", "--json").json?["key"])
    // While a server has the database open as well.
    let server = try RunningServer(runner)
    let license = try await server.send(
      "POST", "/Licenses", ["schemas": [TypeCommandTests.entitlement], "displayName": "Seat"],
      key: key.stringValue ?? "")
    try #require(license.status == 201)
    func unused() throws -> [JSON?]? {
      try runner.run("report", "unused", "--org", "a.example", "--format", "json").json?.arrayValue?.map { $0["type"] }
    }
    #expect(try unused() == ["Role", "License"])
    let user: JSON = [
      "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "holder",
      "entitlements": [["value": license.body?["id"] ?? .null, "type": "License"]],
    ]
    try #require(try await server.send("POST", "/Users", user, key: key.stringValue ?? "").status == 201)
    #expect(try unused() == ["Role"])
    let row = try #require(try access().last)
    #expect(row["userName"] == "holder" && row["type"] == "License" && row["kind"] == "entitlement")
    #expect(server.stop() == 0)
  }

  @Test func usage() throws {
    #expect(try runner.run("report", "access").code == 2)
    #expect(try runner.run("report", "access", "--org", "a.example", "--format", "xml").code == 2)
    #expect(try runner.run("report", "unused", "--org", "a.example", "--spreadsheet").code == 2)
    #expect(try runner.run("report", "access", "--org", "c.example").code == 1)
    #expect(try runner.run("report", "access", "--db", "nowhere.db").code == 1)
  }
}
