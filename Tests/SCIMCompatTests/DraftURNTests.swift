import SCIMCompat
import SCIMCore
import Testing

@Suite("URN of the drafts")
struct DraftURNTests {
  static let core = "urn:scim:schemas:core:2.0"
  static let enterprise = "urn:scim:schemas:extension:enterprise:2.0"

  @Test("is the present one in schemas and as the name of an object", arguments: ["", ":User"])
  func body(end: String) throws {
    try CompatFixture.expect(
      body: #"""
        {"schemas": ["\#(Self.core)\#(end)", "\#(Self.enterprise)\#(end)"], "userName": "u",
         "\#(Self.enterprise)\#(end)": {"department": "Ops"}, "\#(Self.core)\#(end)": {"title": "x"}}
        """#,
      becomes: #"""
        {"schemas": ["CORE:User", "@ent"], "userName": "u", "@ent": {"department": "Ops"}, "CORE:User": {"title": "x"}}
        """#)
    try CompatFixture.expect(
      body: #"{"schemas": "URN:SCIM:schemas:core:2.0\#(end)", "userName": "u"}"#,
      becomes: #"{"schemas": "CORE:User", "userName": "u"}"#)
  }

  @Test("is the present one before an attribute, in paths and names")
  func attribute() throws {
    try CompatFixture.expect(
      #"{"op": "replace", "path": "\#(Self.enterprise):department", "value": "Ops"}"#,
      becomes: #"{"op": "replace", "path": "@ent:department", "value": "Ops"}"#)
    try CompatFixture.expect(
      #"{"op": "replace", "value": {"\#(Self.enterprise):User:department": "Ops"}}"#,
      becomes: #"{"op": "replace", "value": {"@ent:department": "Ops"}}"#)
  }

  @Test(
    "is not seen in others",
    arguments: [
      "urn:scim:schemas:core:1.0", "urn:scim:schemas:core:2.0.1", "urn:scim:schemas:extension:enterprise:1.0",
      "urn:scim:schemas:core:2.0Users",
    ])
  func others(name: String) throws {
    let body = #"{"schemas": ["CORE:User", "\#(name)"], "\#(name)": 1}"#
    try CompatFixture.expect(body: body, becomes: body)
  }

  @Test("belongs to the type that has the schema")
  func types() throws {
    let group = try #require(BuiltInSchemas.registry.type(named: "Group"))
    let role = try #require(BuiltInSchemas.registry.type(named: "Role"))
    let body = try CompatFixture.json(#"{"schemas": ["\#(Self.core)"]}"#)
    #expect(
      Compat.resource(body, type: group, profile: .interop) == (try CompatFixture.json(#"{"schemas": ["CORE:Group"]}"#))
    )
    #expect(Compat.resource(body, type: role, profile: .interop) == body)
  }
}
