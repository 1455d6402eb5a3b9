import SCIMCore
import Testing

@testable import roster

@Suite struct DefinitionNoteTests {
  @Test func nothingIsToldOfNothing() {
    #expect(DefinitionNote.all([], base: BuiltInSchemas.registry).isEmpty)
  }

  @Test func definitionsThatDoNotFitAreAFault() throws {
    let entries: JSON = [["schema": "urn:gone", "required": false]]
    let addition = Definition(
      kind: .additions, name: "User", document: JSONObject([.init(key: "schemaExtensions", value: entries)]))
    let notes = DefinitionNote.all([addition], base: BuiltInSchemas.registry)
    let note = try #require(notes.first)
    #expect(notes.count == 1 && note.isFault)
    #expect(note.text.contains("urn:gone"))
  }
}
