import SCIMCore

/// Something to be told at the start about an organisation's definitions, which were made by an earlier version.
struct DefinitionNote: Equatable {
  var text: String
  /// True where the organisation's requests fail because of it.
  var isFault = false

  /// What there is to be told: nothing, mostly.
  static func all(_ definitions: [Definition], base: SchemaRegistry) -> [DefinitionNote] {
    guard !definitions.isEmpty else { return [] }
    do throws(SchemaError) {
      _ = try DefinitionLoader.load(definitions, extending: base, clashes: .ownWins)
    } catch {
      let problems = error.problems.prefix(5).map(\.description).joined(separator: "; ")
      return [DefinitionNote(text: "its requests fail, since its definitions do not fit: \(problems)", isFault: true)]
    }
    return DefinitionClash.all(in: definitions, with: base).map { DefinitionNote(text: $0.description) }
  }
}
