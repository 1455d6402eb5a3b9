import Testing

@Suite("List for one value")
struct ListForOneTests {
  @Test("of one object is that object for a manager")
  func manager() throws {
    try CompatFixture.expect(
      #"{"op": "add", "path": "manager", "value": [{"$ref": "../Users/m", "value": "m"}]}"#,
      becomes: #"{"op": "add", "path": "manager", "value": {"$ref": "../Users/m", "value": "m"}}"#)
    try CompatFixture.expect(
      #"{"op": "replace", "path": "@ent", "value": {"manager": [{"value": "m"}]}}"#,
      becomes: #"{"op": "replace", "path": "@ent", "value": {"manager": {"value": "m"}}}"#)
    try CompatFixture.expect(
      body: #"{"userName": "u", "@ent": {"manager": [{"value": "m"}], "department": "Ops"}}"#,
      becomes: #"{"userName": "u", "@ent": {"manager": {"value": "m"}, "department": "Ops"}}"#)
  }

  @Test("of one object with a value is that value for a simple attribute")
  func simple() throws {
    try CompatFixture.expect(
      #"{"op": "replace", "path": "title", "value": [{"$ref": null, "value": "Lead"}]}"#,
      becomes: #"{"op": "replace", "path": "title", "value": "Lead"}"#)
    try CompatFixture.expect(
      #"{"op": "replace", "path": "emails[type eq \"work\"].value", "value": [{"value": "a"}]}"#,
      becomes: #"{"op": "replace", "path": "emails[type eq \"work\"].value", "value": "a"}"#)
    try CompatFixture.expect(
      #"{"op": "replace", "path": "title", "value": [{"value": null}]}"#,
      becomes: #"{"op": "replace", "path": "title", "value": null}"#)
  }

  @Test("of one plain value is that value")
  func plain() throws {
    try CompatFixture.expect(
      #"{"op": "replace", "path": "preferredLanguage", "value": ["de"]}"#,
      becomes: #"{"op": "replace", "path": "preferredLanguage", "value": "de"}"#)
    try CompatFixture.expect(
      #"{"op": "replace", "value": {"active": [false], "name.givenName": ["Ada"]}}"#,
      becomes: #"{"op": "replace", "value": {"active": false, "name.givenName": "Ada"}}"#)
    try CompatFixture.expect(
      body: #"{"userName": ["u"], "@ent": {"department": ["Ops"]}}"#,
      becomes: #"{"userName": "u", "@ent": {"department": "Ops"}}"#)
  }

  @Test(
    "is left alone where it holds more or less, and for lists",
    arguments: [
      #"{"op": "replace", "path": "title", "value": ["a", "b"]}"#,
      #"{"op": "replace", "path": "title", "value": [{"value": "a"}, {"value": "b"}]}"#,
      #"{"op": "replace", "path": "title", "value": [{"value": "a", "type": "b"}]}"#,
      #"{"op": "replace", "path": "title", "value": [{"name": "a"}]}"#,
      #"{"op": "replace", "path": "emails", "value": ["a"]}"#,
      #"{"op": "replace", "path": "title", "value": []}"#,
      #"{"op": "replace", "path": "emails", "value": [{"value": "a"}]}"#,
      #"{"op": "replace", "path": "noSuchAttribute", "value": [{"value": "a"}]}"#,
      #"{"op": "replace", "path": "@ent", "value": "x"}"#,
      #"{"op": "remove", "path": "manager"}"#,
      #"{"op": "replace", "value": "x"}"#,
    ])
  func others(operation: String) throws {
    try CompatFixture.expect(operation, becomes: operation)
  }
}
