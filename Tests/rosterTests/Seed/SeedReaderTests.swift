import SCIMCore
import Testing

@testable import roster

@Suite struct SeedReaderTests {
  static func read(_ text: String) throws(SeedError) -> SeedDocument {
    // A stand-in for the check of the resources themselves: it refuses a name that says so.
    let reader = SeedReader(registry: BuiltInSchemas.registry) { (body, type) throws(SCIMError) in
      if body["displayName"]?.stringValue == "bad" { throw SCIMError(.invalidValue, "'displayName' is bad.") }
      if body["displayName"]?.stringValue == "vague" { throw SCIMError(.invalidValue, "something is bad") }
    }
    return try reader.read(Array(text.utf8), file: "x.json")
  }

  static func file(_ organization: String) -> String {
    "{\n\"format\": \"roster-seed/1\",\n\"organizations\": [\n\(organization)\n]}"
  }

  @Test func readsWhatTheFormatOffers() throws {
    let document = try Self.read(
      Self.file(
        """
        {"name": "a.example", "catalog": "closed",
         "keys": [{"secret": "123123", "label": "l", "role": "admin", "profile": "strict"}, {"secret": "abcdef"}],
         "resources": {
           "Group": [{"displayName": "g", "members": [{"value": "u"}]}],
           "User": [{"userName": "u", "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": {"department": "d"}}],
           "Role": [{"id": "r-1", "displayName": "r"}]
         }}
        """))
    let organization = try #require(document.organizations.first)
    #expect(organization.name == "a.example")
    #expect(organization.catalog == .closed)
    #expect(organization.keys.map(\.secret) == ["123123", "abcdef"])
    #expect(organization.keys.map(\.role) == [.admin, .provisioner])
    #expect(organization.keys.map(\.profile) == [.strict, .interop])
    #expect(organization.keys.map(\.label) == ["l", "seed"])
    #expect(organization.resources.map(\.type.name) == ["Role", "User", "Group"])
    #expect(organization.resources.map(\.id) == ["r-1", nil, nil])
    #expect(organization.resources[0].body["id"] == nil)
    #expect(
      organization.resources[1].body["schemas"]
        == [
          "urn:ietf:params:scim:schemas:core:2.0:User", "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User",
        ])
  }

  @Test(
    "refused, with line and column",
    arguments: [
      ("no JSON", "{\n  \"format\": oops}", "x.json:2:13: a character that is not allowed here"),
      ("a trailing comma", "{\n\"format\": \"roster-seed/1\",\n}", "x.json:3:1: "),
      ("a name twice", "{\"format\": 1,\n \"format\": 2}", "x.json:2:2: an object names the same member twice"),
      ("an array", "[]", "x.json:1:1: the file: must be an object"),
      ("no format", "{\n  \"organizations\": []}", "x.json:1:1: format: \"format\" must be \"roster-seed/1\""),
      (
        "another format", "{\n  \"format\": \"roster-seed/9\", \"organizations\": []}",
        "x.json:2:3: format: \"format\" must be \"roster-seed/1\""
      ),
      (
        "a misspelt member", "{\"format\": \"roster-seed/1\",\n  \"organisations\": []}",
        "x.json:2:3: organisations: unknown member; did you mean 'organizations'?"
      ),
      ("no organisations", "{\"format\": \"roster-seed/1\"}", "x.json:1:1: organizations: must be an array"),
      ("no name", file("{}"), "x.json:4:1: organizations[0].name: must be a text that is not empty"),
      ("a bad name", file("{\"name\":\n \"A b\"}"), "x.json:4:2: organizations[0].name: an organisation's name has"),
      (
        "an organisation twice", file("{\"name\": \"a\"},\n{\"name\": \"a\"}"),
        "x.json:5:2: organizations[1].name: this organisation stands in the file twice"
      ),
      (
        "a bad catalogue", file("{\"name\": \"a\",\n\"catalog\": \"ajar\"}"),
        "x.json:5:1: organizations[0].catalog: must be one of open, closed"
      ),
      (
        "a short secret", file("{\"name\": \"a\", \"keys\": [\n{\"secret\": \"12345\"}]}"),
        "x.json:5:2: organizations[0].keys[0].secret: a secret must have at least 6"
      ),
      (
        "a bad role", file("{\"name\": \"a\", \"keys\": [\n{\"secret\": \"123456\",\n\"role\": \"king\"}]}"),
        "x.json:6:1: organizations[0].keys[0].role: must be one of reader, provisioner, admin"
      ),
      (
        "an unknown type", file("{\"name\": \"a\", \"resources\": {\n \"Users\": []}}"),
        "x.json:5:2: organizations[0].resources.Users: unknown resource type; did you mean 'User'?"
      ),
      (
        "a resource that is none", file("{\"name\": \"a\", \"resources\": {\"User\": [\n{},\n 1]}}"),
        "x.json:6:2: organizations[0].resources.User[1]: must be an object"
      ),
      (
        "a bad id", file("{\"name\": \"a\", \"resources\": {\"Role\": [\n{\"id\": \"a/b\"}]}}"),
        "x.json:5:2: organizations[0].resources.Role[0].id: an id has at most"
      ),
      (
        "an id twice", file("{\"name\": \"a\", \"resources\": {\"Role\": [\n{\"id\": \"a\"},\n{\"id\": \"a\"}]}}"),
        "x.json:6:2: organizations[0].resources.Role[1].id: this id stands in the list twice"
      ),
      (
        "a bad attribute",
        file(
          "{\"name\": \"a\", \"resources\": {\"Role\": [\n{\"description\": \"]}\\\"\",\n \"displayName\": \"bad\"}]}}"),
        "x.json:6:2: organizations[0].resources.Role[0].displayName: 'displayName' is bad."
      ),
      (
        "a bad resource", file("{\"name\": \"a\", \"resources\": {\"Role\": [\n   {\"displayName\": \"vague\"}]}}"),
        "x.json:5:4: organizations[0].resources.Role[0]: something is bad"
      ),
    ])
  func refused(_ name: String, _ text: String, _ message: String) {
    let error = #expect(throws: SeedError.self) { try Self.read(text) }
    #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "nothing")")
  }
}
