import SCIMCore
import Testing

/// What is said of a definition that is refused.
@Suite("Messages about definitions")
struct DefinitionMessageTests {
  @Test("A mistake in the only attribute is told, and not that there is none")
  func oneMistake() throws {
    let client = try Tenant(Harness()).client
    let mistaken = try client.send("POST /Schemas", DefinitionSamples.schema("urn:ab:c:D", [("a", [("type", "int")])]))
    expectError(mistaken, 400, "invalidValue")
    #expect(mistaken.text.contains("int") && !mistaken.text.contains("at least one attribute"), "\(mistaken.text)")
  }

  @Test("A schema without attributes is refused, and a URN whose namespace is too short")
  func nothingDefined() throws {
    let client = try Tenant(Harness()).client
    let empty = try client.send("POST /Schemas", DefinitionSamples.schema("urn:ab:c:D", []))
    #expect(empty.text.contains("must have attributes"), "\(empty.text)")
    let short = try client.send("POST /Schemas", DefinitionSamples.schema("urn:a:c:D", [("a", [])]))
    #expect(short.text.contains("2 to 32"), "\(short.text)")
  }
}
