import SCIMCore
import Testing

@Suite("Misspelt URN")
struct MisspeltURNTests {
  static let wrong = "urn:ietf:params:scim:schemas:extension:enterprise:2.0User"

  @Test("is mended in schemas and as the name of the extension")
  func body() throws {
    try CompatFixture.expect(
      body: #"{"schemas": ["CORE:User", "\#(Self.wrong)"], "userName": "u", "\#(Self.wrong)": {"department": "Ops"}}"#,
      becomes: #"{"schemas": ["CORE:User", "@ent"], "userName": "u", "@ent": {"department": "Ops"}}"#)
  }

  @Test("is mended before an attribute, in paths and names")
  func attribute() throws {
    try CompatFixture.expect(
      #"{"op": "replace", "path": "\#(Self.wrong):department", "value": "Ops"}"#,
      becomes: #"{"op": "replace", "path": "@ent:department", "value": "Ops"}"#)
    try CompatFixture.expect(
      #"{"op": "replace", "value": {"\#(Self.wrong):department": "Ops", "title": "x"}}"#,
      becomes: #"{"op": "replace", "value": {"@ent:department": "Ops", "title": "x"}}"#)
    try CompatFixture.expect(
      #"{"op": "remove", "path": "\#(Self.wrong)"}"#, becomes: #"{"op": "remove", "path": "@ent"}"#)
  }

  @Test(
    "is not seen elsewhere",
    arguments: ["urn", "title", "urn:ietf:params:scim:schemas:extension:enterprise:2.0Users", "urn:é:2.0User"])
  func others(name: String) throws {
    let body = #"{"schemas": ["CORE:User", "urn:x"], "\#(name)": 1}"#
    try CompatFixture.expect(body: body, becomes: body)
  }
}
