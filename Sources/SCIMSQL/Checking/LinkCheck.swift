import SCIMCore

/// Finds links of one organisation that stand under no attribute of their owner's type, or under one that cannot hold
/// what they point at.
struct LinkCheck {
  /// Links of one kind: all between resources of two types under one number.
  struct Group {
    var attribute: Int64
    var ownerType: Int64
    var targetType: Int64
    var count: Int64
    /// The paths of the attributes of the owner's type that can hold them.
    var candidates: [String]
  }

  let reader: SQLReader
  private let org: Int64
  private let registry: SchemaRegistry

  init(reader: SQLReader, organization: Int64, registry: SchemaRegistry) {
    self.reader = reader
    org = organization
    self.registry = registry
  }

  func misplaced() throws(SCIMError) -> [Group] {
    var groups: [Group] = []
    try reader.statements.get(
      """
      SELECT l.attr, o.type, t.type, count(*) FROM link l
      CROSS JOIN resource o ON o.pk = l.owner CROSS JOIN resource t ON t.pk = l.target
      WHERE l.org = \(org) GROUP BY l.attr, o.type, t.type
      """
    ).forEach {
      groups.append(
        Group(
          attribute: $0.integer(0), ownerType: $0.integer(1), targetType: $0.integer(2), count: $0.integer(3),
          candidates: []))
    }
    var misplaced: [Group] = []
    for var group in groups {
      guard let ownerName = try reader.storedName(ofType: group.ownerType),
        let targetName = try reader.storedName(ofType: group.targetType), let owner = registry.type(named: ownerName),
        let target = registry.type(named: targetName)
      else { continue }
      group.candidates = owner.links.filter { Self.link($0, canPointAt: target) }.map(\.attribute)
      let path = try reader.statements.get(
        "SELECT path FROM attribute WHERE id = \(group.attribute) AND type = \(group.ownerType)"
      ).first { $0.text(0) }
      if path.map(group.candidates.contains) != true { misplaced.append(group) }
    }
    return misplaced
  }

  private static func link(_ link: LinkDefinition, canPointAt target: ResourceType) -> Bool {
    switch link.kind {
    case .members(let types): types.contains(target.name)
    case .memberOf: false
    case .catalog(let schema): target.schema.id == schema
    }
  }
}
