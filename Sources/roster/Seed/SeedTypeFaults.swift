import SCIMCore

/// Finds the places in a seed file of mistakes in its types. The core makes documents of a schema and of a type of each of
/// them, and names mistakes by these.
struct SeedTypeFaults {
  let types: [(description: TypeDescription, path: SeedPath)]
  /// What mistakes are put to that are of no one of them.
  let path: SeedPath
  let members: SeedMembers

  func note(_ error: SchemaError) {
    for problem in error.problems {
      let found = place(of: problem)
      members.note(found ?? path, found == nil ? problem.description : problem.message)
    }
  }

  private func place(of problem: SchemaError.Problem) -> SeedPath? {
    if let known = types.first(where: { $0.description.schema?.label == problem.file }) {
      return Self.appending(problem.place == "id" ? "schema" : problem.place, to: known.path + "extension")
    }
    let named = types.filter { $0.description.label == problem.file }
    guard let first = named.first else { return nil }
    var steps = Self.appending(problem.place, to: SeedPath()).steps
    guard case .member(let name)? = steps.first else { return first.path }
    switch name {
    case "schemaExtensions":
      steps.removeFirst()
      var one = first
      if case .element(let index)? = steps.first {
        steps.removeFirst()
        // What several descriptions add to one built-in type is one list.
        if first.description.isAddition, index < named.count { one = named[index] }
      }
      return SeedPath(steps: one.path.steps + [.member("extension")] + steps)
    case "roster": return SeedPath(steps: first.path.steps + steps.dropFirst())
    default: return SeedPath(steps: first.path.steps + steps)
    }
  }

  /// The path with a place such as `attributes[3].type` behind it.
  static func appending(_ place: String, to path: SeedPath) -> SeedPath {
    var path = path
    for part in place.split(separator: ".") {
      let pieces = part.split(separator: "[")
      guard let name = pieces.first else { continue }
      path = path + String(name)
      for piece in pieces.dropFirst() {
        guard piece.hasSuffix("]"), let index = Int(piece.dropLast()) else { continue }
        path = path + index
      }
    }
    return path
  }
}
