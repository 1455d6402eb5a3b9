import Foundation
import SCIMCore
import Testing

@testable import roster

/// `roster type`, on its own and beside a running server.
@Suite struct TypeCommandTests {
  static let license = """
    {"name": "License", "endpoint": "/Licenses", "description": "A licence for the CRM.",
     "extension": {"schema": "urn:acme:scim:schemas:extension:crm:1.0:License", "description": "What it covers.",
       "attributes": [{"name": "seats", "type": "integer"}, {"name": "tier", "type": "string"}]}}
    """
  static let badge = """
    {"extends": "User", "extension": {"schema": "urn:acme:scim:schemas:extension:hr:1.0:User",
       "attributes": [{"name": "badge", "type": "string", "uniqueness": "server"}]}}
    """
  static let entitlement: JSON = "urn:okta:scim:schemas:core:1.0:Entitlement"

  let runner: CommandRunner

  init() throws {
    runner = try CommandRunner()
    _ = try runner.run("org", "create", "acme.example")
  }

  @Test func addListShowRetire() throws {
    let file = try runner.file("license.json", Self.license)
    #expect(try runner.run("type", "add", file).output == "Added License.\n")
    let list = try runner.run("type", "list", "--json").json?.arrayValue
    let entry = list?.first { $0["name"] == "License" }
    #expect(entry?["endpoint"] == "/Licenses" && entry?["builtIn"] == false && entry?["version"] == 1)
    #expect(list?.first { $0["name"] == "User" }?["builtIn"] == true)
    #expect(try runner.run("type", "show", "License").json?["endpoint"] == "/Licenses")
    let schema = try runner.run("type", "show", "urn:acme:scim:schemas:extension:crm:1.0:License")
    #expect(schema.json?["attributes"]?.arrayValue?.count == 2)
    #expect(try runner.run("type", "add", file, "--json").json == ["name": "License", "created": false])
    #expect(try runner.run("type", "retire", "License").output == "Retired License.\n")
    #expect(try runner.run("type", "show", "License").code == 1)
    #expect(try runner.run("type", "show", "urn:acme:scim:schemas:extension:crm:1.0:License").code == 1)
  }

  @Test(arguments: [
    ("no JSON", "{", "1:"), ("an unknown member", #"{"name": "A", "endpoint": "/As", "endpiont": 1}"#, "endpiont"),
    ("a built-in name", #"{"name": "User", "endpoint": "/People"}"#, "built in"),
    ("a built-in endpoint", #"{"name": "Person", "endpoint": "/Users"}"#, "/Users"),
    ("no endpoint", #"{"name": "Person"}"#, "endpoint"),
    (
      "a name that would steer the terminal", #"{"name": "A\u001b[31m", "endpoint": "/As"}"#,
      #""A\u001B[31m" is no type name"#
    ),
    (
      "a bad data type",
      #"{"name": "A", "endpoint": "/As", "extension": {"schema": "urn:ab:c:D", "attributes": [{"name": "x", "type": "text"}]}}"#,
      "attributes[0].type"
    ),
    ("no attributes", #"{"name": "A", "endpoint": "/As", "extension": {"schema": "urn:ab:c:D"}}"#, "attributes"),
    (
      "an extension of nothing",
      #"{"extends": "Nobody", "extension": {"schema": "urn:ab:c:D", "attributes": [{"name": "x"}]}}"#,
      "Nobody"
    ),
  ])
  func aBadFileIsRefusedAndChangesNothing(_ name: String, _ text: String, _ part: String) throws {
    let before = try runner.run("type", "list").output
    let outcome = try runner.run("type", "add", try runner.file("bad.json", text))
    #expect(outcome.code == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.contains(part), "\(outcome.error)")
    #expect(outcome.error.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
    #expect(try runner.run("type", "list").output == before)
  }

  @Test func whatEveryOrganisationHasCannotBeRetired() throws {
    for name in ["User", "Group", "Role", "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User", "Nothing"] {
      #expect(try runner.run("type", "retire", name, "--force").code == 1)
    }
  }

  @Test func aRunningServerKnowsEachChangeAtOnce() async throws {
    let made = try runner.run("key", "create", "acme.example", "--role", "admin", "--json")
    let key = try #require(made.json?["key"]?.stringValue)
    let server = try RunningServer(runner)
    #expect(try await server.get("/Licenses", key: key).status == 404)
    _ = try runner.run("type", "add", try runner.file("license.json", Self.license))
    _ = try runner.run("type", "add", try runner.file("badge.json", Self.badge))
    let urn = "urn:acme:scim:schemas:extension:crm:1.0:License"
    let license = try await server.send(
      "POST", "/Licenses", ["schemas": [Self.entitlement], "displayName": "Pro", urn: ["seats": 5]], key: key)
    #expect(license.status == 201)
    let hr = "urn:acme:scim:schemas:extension:hr:1.0:User"
    let user = try await server.send(
      "POST", "/Users",
      [
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "ann", hr: ["badge": "7"],
        "entitlements": [["value": "Pro"]],
      ], key: key)
    #expect(user.body?[hr]?["badge"] == "7" && user.body?["entitlements"]?.arrayValue?.count == 1)

    let inUse = try runner.run("type", "retire", "License")
    #expect(inUse.code == 1, "\(inUse.error)")
    #expect(inUse.error.hasSuffix("Removing it with all of them requires --force.\n"), "\(inUse.error)")
    #expect(inUse.error.ranges(of: "force").count == 1, "\(inUse.error)")
    // Seats are numbers in what is stored.
    let changed = Self.license.replacing(#""type": "integer""#, with: #""type": "string""#)
    let refused = try runner.run("type", "add", try runner.file("changed.json", changed))
    #expect(refused.code == 1 && refused.error.contains("1 stored resource"), "\(refused.error)")
    #expect(refused.error.contains("seats' must be a string."), "\(refused.error)")
    #expect(try await server.get("/Licenses?count=0", key: key).body?["totalResults"] == 1)

    #expect(try runner.run("type", "retire", "License", "--force").code == 0)
    #expect(try await server.get("/Licenses", key: key).status == 404)
    let inValues = try runner.run("type", "retire", hr)
    #expect(inValues.code == 1 && inValues.error.contains(") of the type User has values of "), "\(inValues.error)")
    #expect(try runner.run("type", "retire", hr, "--force").code == 0)
    let after = try await server.get("/Users", key: key).body?["Resources"]?.arrayValue?.first
    #expect(after?["userName"] == "ann" && after?[hr] == nil && after?["entitlements"] == nil)
    #expect(server.stop() == 0)
    #expect(try runner.run("check").code == 0)
  }

  static let characteristic = "urn:bestapps:scim:schemas:extension:todoapp:1.0:Characteristic"
  static let height = """
    {"name": "Characteristic", "endpoint": "/Characteristics",
     "extension": {"schema": "\(characteristic)", "attributes": [{"name": "height", "type": "integer"}]}}
    """

  @Test func aBuiltInTypeIsRetiredDefinedAnewAndRestored() throws {
    _ = try runner.run("seed", SeedCommandTests.shipped("gridco.json"))
    func run(_ words: String...) throws -> CommandRunner.Outcome {
      try runner.run(arguments: ["type"] + words + ["--org", "gridco.example"])
    }
    let file = try runner.file("height.json", Self.height)
    let builtIn = try run("add", file)
    #expect(builtIn.code == 1 && builtIn.error.contains("Retire it first"), "\(builtIn.error)")
    let inUse = try run("retire", "Characteristic")
    #expect(inUse.code == 1 && inUse.error.contains("1 resource") && inUse.error.contains("--force"), "\(inUse.error)")
    #expect(try run("retire", "Characteristic", "--force").output == "Retired Characteristic.\n")
    #expect(try run("show", "Characteristic").code == 1)
    #expect(try run("show", Self.characteristic).code == 1)
    #expect(try run("retire", "Characteristic").code == 1)
    // Another organisation has it as before.
    #expect(try runner.run("type", "show", "Characteristic", "--org", "acme.example").code == 0)

    #expect(try run("add", file).output == "Added Characteristic.\n")
    let seed = try runner.file(
      "seed.json",
      """
      {"format": "roster-seed/1", "organizations": [{"name": "gridco.example", "resources": {
        "Characteristic": [{"id": "tall", "displayName": "Tall", "\(Self.characteristic)": {"height": 190}}],
        "User": [{"userName": "ann", "entitlements": [{"value": "Tall", "type": "Characteristic"}]}]}}]}
      """)
    let seeded = try runner.run("seed", seed)
    #expect(seeded.code == 0, "\(seeded.error)")
    let report = try runner.run("report", "access", "--org", "gridco.example", "--json").json?.arrayValue
    #expect(report?.contains { $0["value"] == "tall" && $0["linked"] == true } == true)

    let taken = try run("restore", "Characteristic")
    #expect(taken.code == 1, "\(taken.output)")
    #expect(try run("retire", "Characteristic", "--force").code == 0)
    #expect(try run("restore", "Characteristic", "--json").json == ["name": "Characteristic"])
    #expect(try run("show", Self.characteristic).json?["attributes"]?.arrayValue?.map { $0["name"] } == ["is_tall"])
    #expect(try run("restore", "Characteristic").code == 1)
    #expect(try runner.run("check").output == "No problems found.\n")
  }

  @Test func generatedUsersDoWithoutARetiredType() throws {
    _ = try runner.run("type", "retire", "Characteristic")
    let outcome = try runner.run("seed", "--generate", "20", "--org", "acme.example")
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try runner.run("inspect", "entitlements", "--json").json?["totalResults"] == 0)
  }

  @Test func builtInTypesAreRetiredOverHTTPAsWell() async throws {
    let made = try runner.run("key", "create", "acme.example", "--role", "admin", "--json")
    let key = try #require(made.json?["key"]?.stringValue)
    let reader = try runner.run("key", "create", "acme.example", "--role", "reader", "--json").json?["key"]?.stringValue
    let server = try RunningServer(runner)
    let entry: JSON = ["schemas": [Self.entitlement], "id": "x", "displayName": "Tall"]
    #expect(try await server.send("POST", "/Characteristics", entry, key: key).status == 201)
    #expect(try await server.send("DELETE", "/ResourceTypes/Characteristic", key: reader ?? "").status == 405)
    #expect(try await server.send("DELETE", "/ResourceTypes/Role", key: key).status == 405)
    #expect(try await server.send("DELETE", "/ResourceTypes/Characteristic", key: key).status == 409)
    #expect(try await server.send("DELETE", "/ResourceTypes/Characteristic?force=true", key: key).status == 204)
    #expect(try await server.get("/ResourceTypes/Characteristic", key: key).status == 404)
    #expect(try await server.get("/Characteristics", key: key).status == 404)
    let names = try await server.get("/ResourceTypes", key: key).body?["Resources"]?.arrayValue?.map { $0["name"] }
    #expect(names == ["User", "Group", "Role"])
    let schema: JSON = [
      "id": .string(Self.characteristic), "name": "Own", "attributes": [["name": "height", "type": "integer"]],
    ]
    #expect(try await server.send("POST", "/Schemas", schema, key: key).status == 201)
    let type: JSON = [
      "name": "Characteristic", "endpoint": "/Characteristics", "schema": Self.entitlement,
      "schemaExtensions": [["schema": .string(Self.characteristic), "required": false]],
    ]
    #expect(try await server.send("POST", "/ResourceTypes", type, key: key).status == 201)
    let own: JSON = [
      "schemas": [Self.entitlement], "displayName": "Tall", Self.characteristic: ["height": 190],
    ]
    #expect(try await server.send("POST", "/Characteristics", own, key: key).status == 201)
    #expect(server.stop() == 0)
    #expect(try runner.run("check").code == 0)
  }

  @Test func letterCaseOfURNsMakesNoDifference() throws {
    let urns = ["urn:acme:scim:schemas:extension:crm:1.0:License", "urn:acme:scim:schemas:extension:hr:1.0:User"]
    func add(_ text: String) throws -> String {
      let file = try runner.file("type.json", text)
      let outcome = try runner.run("type", "add", file)
      return outcome.output + outcome.error
    }
    func capitals(_ text: String) -> String { urns.reduce(text) { $0.replacing($1, with: $1.uppercased()) } }
    #expect(try add(Self.license) == "Added License.\n")
    #expect(try add(capitals(Self.license)) == "Changed License.\n")
    #expect(try add(Self.badge) == "Added \(urns[1]).\n")
    #expect(try add(capitals(Self.badge)) == "Changed \(urns[1].uppercased()).\n")
    #expect(try runner.run("type", "retire", urns[1]).code == 0)
    #expect(try runner.run("type", "show", urns[1]).code == 1)
    #expect(try runner.run("type", "retire", "License").code == 0)
    #expect(try runner.run("type", "show", urns[0]).code == 1)
    #expect(try runner.run("check").output == "No problems found.\n")
  }

  @Test func seedFilesDefineTypes() throws {
    let seed = try runner.file(
      "seed.json",
      """
      {"format": "roster-seed/1", "organizations": [{"name": "acme.example", "types": [\(Self.license), \(Self.badge)],
        "resources": {
          "License": [{"id": "pro", "displayName": "Pro", "urn:acme:scim:schemas:extension:crm:1.0:License": {"seats": 3}}],
          "User": [{"userName": "ann", "entitlements": [{"value": "Pro"}],
            "urn:acme:scim:schemas:extension:hr:1.0:User": {"badge": "7"}}]}}]}
      """)
    let first = try runner.run("seed", seed, "--json")
    #expect(first.json?.arrayValue?.first?["created"] == 4, "\(first.error)")
    #expect(try runner.run("seed", seed, "--json").json?.arrayValue?.first?["unchanged"] == 4)
    let entitlements = try runner.run("inspect", "entitlements", "--json")
    #expect(entitlements.json?["totalResults"] == 1)
    let bad = try runner.file(
      "bad.json", #"{"format": "roster-seed/1", "organizations": [{"name": "b.example", "types": [{"name": "User"}]}]}"#
    )
    let refused = try runner.run("seed", bad)
    #expect(refused.code == 1 && refused.error.contains("organizations[0].types"), "\(refused.error)")
  }
}
