import Testing

@Suite("Sub-attribute without its attribute")
struct BareSubAttributeTests {
  @Test("is that of the one attribute that has it", arguments: ["givenName", "familyName", "middleName", "formatted"])
  func names(name: String) throws {
    try CompatFixture.expect(
      #"{"op": "replace", "path": "\#(name)", "value": "x"}"#,
      becomes: #"{"op": "replace", "path": "name.\#(name)", "value": "x"}"#)
    try CompatFixture.expect(
      #"{"op": "remove", "path": "\#(name.uppercased())"}"#, becomes: #"{"op": "remove", "path": "name.\#(name)"}"#)
  }

  @Test(
    "is left alone where another attribute has the name, or many have it",
    arguments: ["displayName", "value", "$ref", "type", "streetAddress", "nothing", "name.givenName", "title"])
  func others(path: String) throws {
    let operation = #"{"op": "replace", "path": "\#(path)", "value": "x"}"#
    try CompatFixture.expect(operation, becomes: operation)
  }
}
