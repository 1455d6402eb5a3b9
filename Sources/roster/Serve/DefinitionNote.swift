import SCIMCore

/// Something to be told at the start about an organisation's definitions, which were made by an earlier version.
struct DefinitionNote: Equatable {
  var text: String
  /// True where something is not there because of it.
  var isFault = false

  /// What there is to be told: nothing, mostly.
  static func all(_ definitions: [Definition], base: SchemaRegistry) -> [DefinitionNote] {
    guard !definitions.isEmpty else { return [] }
    var notes: [DefinitionNote] = []
    do throws(SchemaError) {
      notes = try DefinitionLoader.loadStored(definitions, extending: base).unreadable.map {
        DefinitionNote(
          text: "a definition is ignored, since it cannot be read: \($0.reason)", isFault: true)
      }
    } catch {
      let problems = error.problems.prefix(5).map(\.description).joined(separator: "; ")
      return [DefinitionNote(text: "its requests fail, since its schemas are invalid: \(problems)", isFault: true)]
    }
    return notes + DefinitionClash.all(in: definitions, with: base).map { DefinitionNote(text: $0.description) }
  }
}
