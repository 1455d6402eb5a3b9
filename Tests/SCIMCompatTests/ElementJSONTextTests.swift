import SCIMCore
import Testing

@Suite("Element as JSON text")
struct ElementJSONTextTests {
  static let packed = #"{\"id\":\"18d1\",\"value\":\"Admin\",\"displayName\":\"Admins\"}"#

  @Test("is read as the object, in the value of an element or as the element")
  func patch() throws {
    let mended = #"{"op": "add", "path": "roles", "value": [{"value": "Admin", "display": "Admins"}]}"#
    try CompatFixture.expect(
      #"{"op": "add", "path": "roles", "value": [{"value": "\#(Self.packed)"}]}"#, becomes: mended)
    try CompatFixture.expect(#"{"op": "add", "path": "roles", "value": ["\#(Self.packed)"]}"#, becomes: mended)
    try CompatFixture.expect(
      #"{"op": "remove", "path": "entitlements", "value": {"Value": "\#(Self.packed)"}}"#,
      becomes: #"{"op": "remove", "path": "entitlements", "value": {"value": "Admin", "display": "Admins"}}"#)
  }

  @Test("is read in a POST or PUT, and in an operation without path")
  func body() throws {
    try CompatFixture.expect(
      body: #"{"userName": "u", "Roles": [{"value": "\#(Self.packed)", "primary": "True"}, {"value": "b"}]}"#,
      becomes:
        #"{"userName": "u", "Roles": [{"value": "Admin", "display": "Admins", "primary": "True"}, {"value": "b"}]}"#)
    try CompatFixture.expect(
      #"{"op": "add", "value": {"roles": [{"value": "\#(Self.packed)"}]}}"#,
      becomes: #"{"op": "add", "value": {"roles": [{"value": "Admin", "display": "Admins"}]}}"#)
  }

  @Test("falls back on its id, and keeps type and primary")
  func members() throws {
    try CompatFixture.expect(
      #"{"op": "add", "path": "entitlements", "value": [{"type": "x", "value": "{\"id\":\"a\",\"value\":null,\"type\":\"License\",\"primary\":true,\"more\":1}"}]}"#,
      becomes: #"{"op": "add", "path": "entitlements", "value": [{"value": "a", "type": "License", "primary": true}]}"#)
  }

  @Test(
    "is left alone where it is no object that names something",
    arguments: [#"{"#, #"{}"#, #"[1]"#, #"{\"x\":1}"#, "plain", ""])
  func others(text: String) throws {
    let operation = #"{"op": "add", "path": "roles", "value": [{"value": "\#(text)"}]}"#
    try CompatFixture.expect(operation, becomes: operation)
  }

  @Test("is read as it is in lists of other attributes")
  func otherLists() throws {
    let packed = #"{\"type\":\"work\",\"value\":\"a@b.example\"}"#
    let element = #"{"type": "work", "value": "a@b.example"}"#
    try CompatFixture.expect(
      #"{"op": "replace", "path": "emails[type eq \"home\"]", "value": "\#(packed)"}"#,
      becomes: #"{"op": "replace", "path": "emails[type eq \"home\"]", "value": \#(element)}"#)
    try CompatFixture.expect(
      #"{"op": "add", "path": "emails", "value": ["\#(packed)"]}"#,
      becomes: #"{"op": "add", "path": "emails", "value": [\#(element)]}"#)
    try CompatFixture.expect(
      body: #"{"userName": "u", "emails": [{"value": "\#(packed)", "type": "other", "primary": true}]}"#,
      becomes: #"{"userName": "u", "emails": [{"type": "work", "value": "a@b.example", "primary": true}]}"#)
    try CompatFixture.expect(
      #"{"op": "replace", "path": "emails[type eq \"work\"].value", "value": "\#(packed)"}"#,
      becomes: #"{"op": "replace", "path": "emails[type eq \"work\"].value", "value": "a@b.example"}"#)
  }

  @Test("is left alone in other attributes")
  func otherAttributes() throws {
    let title = #"{"op": "add", "path": "title", "value": "\#(Self.packed)"}"#
    try CompatFixture.expect(title, becomes: title)
  }
}
