/// The built-in types that an organisation has retired, so that they are not there for it and it may define its own in
/// their place.
///
/// A retirement is a definition of the kind `retired` with the name of the type. With the type go the schemas of its
/// extensions that nothing else built in uses; its base schema, and the one by which assignments are counted, stay for
/// the organisation's own types.
public struct Retirement {
  /// Types that each organisation has, whatever it defines.
  public static let permanentTypes: Set<String> = ["User", "Group", "Role"]

  let types: Set<String>
  let schemas: Set<String>

  /// What the definitions retire of the base. One of a type that the base does not have, or cannot be without, means
  /// nothing.
  init(_ definitions: [Definition], base: SchemaRegistry) {
    let names = Set(definitions.filter { $0.kind == .retired }.map(\.name)).subtracting(Self.permanentTypes)
    let retired = base.types.filter { names.contains($0.name) }
    types = Set(retired.map(\.name))
    guard !retired.isEmpty else {
      schemas = []
      return
    }
    let kept = base.types.filter { !names.contains($0.name) }
    let used = Set(kept.flatMap { [$0.schema.id] + $0.extensions.map(\.schema.id) } + retired.map(\.schema.id))
    let own = retired.flatMap { type in type.extensions.map(\.schema.id).filter { $0 != type.countedExtension } }
    schemas = Set(own).subtracting(used)
  }
}
