import SCIMCore
import Testing

@testable import roster

@Suite struct SeedReaderTests {
  static func read(_ text: String) throws(SeedErrors) -> SeedDocument {
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

  @Test func anIdHas64Characters() throws {
    let id = String(repeating: "a", count: 64)
    let document = try Self.read(
      Self.file("{\"name\": \"a\", \"resources\": {\"Role\": [{\"id\": \"\(id)\", \"displayName\": \"r\"}]}}"))
    #expect(document.organizations.first?.resources.map(\.id) == [id])
  }

  @Test func readsWhatTheFormatOffers() throws {
    let document = try Self.read(
      Self.file(
        """
        {"name": "a.example", "catalog": "closed", "grants": true, "groupNames": "free", "externalIds": "unique",
         "announced": "pagination,entitlements",
         "keys": [{"secret": "123123", "label": "l", "role": "admin", "profile": "strict"}, {"secret": "abcdef"}],
         "resources": {
           "Group": [{"displayName": "g", "members": [{"value": "u"}]}],
           "User": [{"userName": "u", "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": {"department": "d"}}],
           "Role": [{"id": "r-1", "displayName": "r"}]
         }}
        """))
    let organization = try #require(document.organizations.first)
    #expect(organization.name == "a.example")
    #expect(organization.settings.catalog == .closed)
    #expect(organization.settings.grants == true)
    #expect(organization.settings.groupNames == .free && organization.settings.externalIDs == .unique)
    #expect(organization.settings.announced == [.pagination, .entitlements])
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
      ("no JSON", "{\n  \"format\": oops}", "x.json:2:13: the character 'o' is not allowed here"),
      ("a trailing comma", "{\n\"format\": \"roster-seed/1\",\n}", "x.json:3:1: a comma in front of '}'"),
      ("a name twice", "{\"format\": 1,\n \"format\": 2}", "x.json:2:2: an object names the member 'format' twice"),
      ("an array", "[]", "x.json:1:1: the file: must be an object. A seed file begins with {"),
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
        "x.json:5:2: organizations[1].name: the name must be unique in the file, and is also that of organizations[0] (line 4)"
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
        "an id of 65 characters",
        file("{\"name\": \"a\", \"resources\": {\"Role\": [\n{\"id\": \"\(String(repeating: "a", count: 65))\"}]}}"),
        "x.json:5:2: organizations[0].resources.Role[0].id: an id has at most 64"
      ),
      (
        "an id twice",
        file("{\"name\": \"a\", \"resources\": {\"Role\": [\n{\"id\": \"a\"}],\n\"User\": [{\"id\": \"a\"}]}}"),
        "x.json:6:11: organizations[0].resources.User[0].id: the id must be unique in the organisation, and is also that of"
          + " organizations[0].resources.Role[0] (line 5)"
      ),
      (
        "an id that holds bulkId", file("{\"name\": \"a\", \"resources\": {\"Role\": [\n{\"id\": \"my-bulkid\"}]}}"),
        "x.json:5:2: organizations[0].resources.Role[0].id: an id must not contain \"bulkId\""
      ),
      (
        "a name twice, in another letter case",
        file("{\"name\": \"a\", \"resources\": {\"User\": [\n{\"userName\": \"Ann\"},\n{\"userName\": \"ANN\"}]}}"),
        "x.json:6:2: organizations[0].resources.User[1].userName: userName must be unique, and is also that of"
          + " organizations[0].resources.User[0] (line 5)"
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
    let error = #expect(throws: SeedErrors.self) { try Self.read(text) }
    #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "nothing")")
  }

  @Test func allMistakesAreListedInTheOrderOfTheFile() {
    let error = #expect(throws: SeedErrors.self) {
      try Self.read(
        """
        {"format": "roster-seed/2",
        "organizations": [
        {"name": "A b", "catalogue": "open", "grants": 1,
        "keys": [{"secret": "x"}, {"role": "king"}],
        "resources": {
        "Users": [],
        "User": [
        {"userName": "u", "email": "x"},
        {"userName": "v", "displayName": "bad", "department": "d",
        "roles": ["Manager"]}]}}]}
        """)
    }
    #expect(error?.errors.map(\.line) == [1, 3, 3, 3, 4, 4, 4, 6, 8, 9, 9, 10], "\(error?.description ?? "")")
  }

  @Test func mistakesOfTypesHaveTheirPlaces() {
    let error = #expect(throws: SeedErrors.self) {
      try Self.read(
        Self.file(
          #"""
          {"name": "a", "types": [
          {"name": "A", "endpiont": "/As"},
          {"name": "B",
           "endpoint": "Bs"},
          {"name": "C", "endpoint": "/Cs", "extension": {
           "schema": "x",
           "attributes": [{"name": "n",
            "type": "text"}]}},
          {"name": "User", "endpoint": "/Us"},
          {"extends": "User", "extension": {"schema": "urn:acme:b:User", "attributes": [
           {"name": "e", "typ": "string"}]}},
          1]}
          """#))
    }
    let lines = error?.description.split(separator: "\n").map(String.init) ?? []
    let expected = [
      "x.json:5:15: organizations[0].types[0].endpiont: unknown member; did you mean 'endpoint'?",
      "x.json:7:2: organizations[0].types[1].endpoint: must begin with a slash, as /Users does",
      "x.json:9:2: organizations[0].types[2].extension.schema: ",
      "x.json:11:3: organizations[0].types[2].extension.attributes[0].type: unknown type \"text\"; ",
      "x.json:12:1: organizations[0].types[3]: User is built in and cannot be changed",
      "x.json:14:16: organizations[0].types[4].extension.attributes[0].typ: unknown member; did you mean 'type'?",
      "x.json:15:1: organizations[0].types[5]: must be one JSON object",
    ]
    #expect(lines.count == expected.count, "\(lines)")
    for (line, start) in zip(lines, expected) { #expect(line.hasPrefix(start), "\(lines)") }
  }

  @Test(
    "what was probably meant",
    arguments: [
      (
        #""badge": "7""#,
        #"User has no attribute 'badge'; define it in an extension, under "types" in the file or with 'roster type add'"#
      ),
      (#""email": "a@b""#, #"User has no attribute 'email'; did you mean 'emails'? Write "emails": [{ "value": … }]"#),
      (
        #""department": "d""#,
        #"User has no attribute 'department'; it belongs to an extension. Write "#
          + #""urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": { "department": … }"#
      ),
      (#""familyName": "f""#, #"User has no attribute 'familyName'. Write "name": { "familyName": … }"#),
      (#""roles": ["Manager"]"#, #"roles[0]: must be an object. Write "roles": [{ "value": "Manager" }]"#),
      (#""emails": "a@b""#, #"emails: must be an array. Write "emails": [{ "value": "a@b" }]"#),
      (#""name": "Ann""#, #"name: must be an object. Write "name": { "formatted": … }"#),
      (
        #""urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": {"departmnt": "d"}"#,
        "departmnt: the extension has no attribute 'departmnt'; did you mean 'department'?"
      ),
    ])
  func hints(_ member: String, _ expected: String) {
    let text = Self.file(#"{"name": "a", "resources": {"User": [{"userName": "u", \#(member)}]}}"#)
    let error = #expect(throws: SeedErrors.self) { try Self.read(text) }
    #expect(error?.errors.count == 1)
    #expect(error?.description.hasSuffix(expected) == true, "\(error?.description ?? "nothing")")
  }

  @Test(
    "JSON of another kind",
    arguments: [
      (#"{"schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "u"}"#, "this is a SCIM resource"),
      (#"{"totalResults": 1, "Resources": []}"#, "this is a SCIM list response"),
      (#"[{"id": 1}]"#, "must be an object"),
      (#"{"name": "A", "endpoint": "/As"}"#, "this describes a resource type"),
      (#"{"users": []}"#, "this is not a seed file"),
    ])
  func foreign(_ text: String, _ expected: String) {
    let error = #expect(throws: SeedErrors.self) { try Self.read(text) }
    #expect(error?.errors.count == 1)
    #expect(error?.errors.first?.message.hasPrefix(expected) == true)
    #expect(error?.errors.first?.message.contains("docs/seed-format.md") == true)
  }

  @Test func ofVeryManyMistakesTheFirstAreShown() {
    let users = (0..<80).map { #"{"userName": "u\#($0)", "x": 1}"# }.joined(separator: ",")
    let text = Self.file(#"{"name": "a", "resources": {"User": [\#(users)]}}"#)
    let error = #expect(throws: SeedErrors.self) { try Self.read(text) }
    #expect(error?.errors.count == 80)
    #expect(error?.description.split(separator: "\n").count == 51)
    #expect(error?.description.hasSuffix("and 30 more mistakes") == true)
  }
}
