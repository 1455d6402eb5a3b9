import Testing

@Suite("Base URN as a path")
struct BaseURNPathTests {
  @Test("is no path")
  func path() throws {
    try CompatFixture.expect(
      #"{"op": "replace", "path": "CORE:User", "value": {"title": "x", "manager": [{"value": "m"}]}}"#,
      becomes: #"{"op": "replace", "value": {"title": "x", "manager": {"value": "m"}}}"#)
    try CompatFixture.expect(
      #"{"op": "add", "path": "urn:scim:schemas:core:2.0", "value": {"title": "x"}}"#,
      becomes: #"{"op": "add", "value": {"title": "x"}}"#)
  }

  @Test("is left alone for others", arguments: ["@ent", "CORE:User:title", "CORE:Group"])
  func others(path: String) throws {
    let operation = #"{"op": "replace", "path": "\#(path)", "value": {"title": "x"}}"#
    try CompatFixture.expect(operation, becomes: operation)
  }
}
