import Testing

@Suite("Element with displayName")
struct ElementDisplayNameTests {
  @Test("has it read as display")
  func mended() throws {
    try CompatFixture.expect(
      body: #"{"userName": "u", "roles": [{"value": "admin", "displayName": "Admins"}]}"#,
      becomes: #"{"userName": "u", "roles": [{"value": "admin", "display": "Admins"}]}"#)
    try CompatFixture.expect(
      #"{"op": "replace", "path": "roles[primary eq true]", "value": {"value": "admin", "DisplayName": "Admins"}}"#,
      becomes: #"{"op": "replace", "path": "roles[primary eq true]", "value": {"value": "admin", "display": "Admins"}}"#
    )
  }

  @Test(
    "keeps it where there is a display, and elsewhere",
    arguments: [
      #"{"op": "add", "path": "roles", "value": [{"value": "a", "display": "A", "displayName": "B"}]}"#,
      #"{"op": "add", "path": "emails", "value": [{"value": "a", "displayName": "B"}]}"#,
      #"{"op": "add", "path": "@ent:manager", "value": {"value": "a", "displayName": "B"}}"#,
      #"{"op": "add", "value": {"displayName": "B"}}"#,
    ])
  func others(operation: String) throws {
    try CompatFixture.expect(operation, becomes: operation)
  }
}
