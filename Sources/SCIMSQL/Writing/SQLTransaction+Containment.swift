import SCIMCore

extension SQLTransaction {
  func catalogReferrers(
    words: [String], attribute: String, types: [ResourceType], in organization: OrganizationID
  ) throws(SCIMError) -> [LinkTarget] {
    var numbers: [SQLFragment] = []
    var keys: [SQLFragment] = []
    for type in types {
      guard let urn = type.countedExtension,
        let definition = type.extension(urn: urn)?.schema.attribute(named: attribute)
      else { continue }
      let number = try number(ofAttribute: urn + ":" + definition.name, type: number(ofType: type.name))
      guard number != Self.unknown else { continue }
      try settle(number)
      numbers.append("\(number)")
      if keys.isEmpty {
        for word in words {
          if let key = DocumentIndex.key(for: .string(word), of: definition) { keys.append("\(key)") }
        }
      }
    }
    // Most catalogues have no entry that contains another.
    guard !numbers.isEmpty, !keys.isEmpty else { return [] }
    let org = organization.rawValue
    var found: [LinkTarget] = []
    try statements.get(
      """
      SELECT DISTINCT r.pk, r.type, r.id, r.display FROM key k CROSS JOIN resource r ON r.pk = k.resource
      WHERE k.org = \(org) AND k.attr IN (\(numbers.joined(", "))) AND k.key IN (\(keys.joined(", ")))
      """
    ).forEach { (row) throws(SCIMError) in
      found.append(
        LinkTarget(
          handle: row.integer(0), type: try name(ofType: row.integer(1)), id: row.text(2),
          display: row.optionalText(3)))
    }
    return found
  }
}
