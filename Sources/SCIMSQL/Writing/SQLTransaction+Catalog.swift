import SCIMCore

/// What words name in the catalogue: many in one look-up, whatever the number of types.
extension SQLTransaction {
  func catalogMatches(
    _ words: [String], types: [ResourceType], in organization: OrganizationID
  ) throws(SCIMError) -> CatalogMatches {
    var matches = CatalogMatches()
    let words = Array(Set(words)).filter { !$0.isEmpty }
    guard !words.isEmpty, !types.isEmpty else { return matches }
    let names = Set(types.map(\.name))
    try forEachResource(ids: words, isNamed: true, in: organization) { _, target in
      if names.contains(target.type) { matches.ids[target.id, default: []].append(target) }
    }
    // What has the word for an id in all places where it is looked for is found.
    let unknown = words.filter { matches.ids[$0] == nil || types.count > 1 }
    guard !unknown.isEmpty else { return matches }
    var found: [(word: String, handle: Int64, type: String)] = []
    for type in types {
      let number = try number(ofType: type.name)
      for (path, definition) in type.catalogNames {
        let attribute = try self.number(ofAttribute: type.indexPath(path), type: number)
        guard attribute != Self.unknown else { continue }
        try settle(attribute)
        guard try hasKeys(attribute, in: organization) else { continue }
        for (word, handle) in try named(unknown, attribute, definition, in: organization) {
          found.append((word, handle, type.name))
        }
      }
    }
    let ids = try ids(of: Set(found.map(\.handle)), in: organization)
    for (word, handle, type) in found {
      guard let (id, display) = ids[handle] else { continue }
      matches.names[word, default: []].append(LinkTarget(handle: handle, type: type, id: id, display: display))
    }
    return matches
  }

  /// The resources that go by one of the words under an attribute: one or two for each word.
  private func named(
    _ words: [String], _ attribute: Int64, _ definition: AttributeDefinition, in organization: OrganizationID
  ) throws(SCIMError) -> [(word: String, handle: Int64)] {
    try budget.take(WriteCost.statement + words.count * WriteCost.lookUp)
    var keyed: [(word: String, key: String)] = []
    for word in words {
      if let key = DocumentIndex.key(for: .string(word), of: definition) { keyed.append((word, key)) }
    }
    let statement = try statements.get(.namedResources)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(attribute, at: 2)
    statement.bindText(Self.list(keyed.map(\.key)), at: 3)
    var found: [(String, Int64)] = []
    try statement.forEach { row in
      let word = keyed[Int(row.integer(0))].word
      let (first, last) = (row.integer(1), row.integer(2))
      found.append((word, first))
      if last != first { found.append((word, last)) }
    }
    return found
  }

  /// Most types of an organisation with many have nothing under an attribute.
  private func hasKeys(_ attribute: Int64, in organization: OrganizationID) throws(SCIMError) -> Bool {
    try budget.take(WriteCost.statement)
    let statement = try statements.get(.hasKeys)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(attribute, at: 2)
    return try statement.first { _ in true } ?? false
  }

  private func ids(
    of handles: Set<Int64>, in organization: OrganizationID
  ) throws(SCIMError) -> [Int64: (id: String, display: String?)] {
    guard !handles.isEmpty else { return [:] }
    try budget.take(handles.count * WriteCost.lookUp)
    let statement = try statements.get(.idsByNumber)
    statement.bind(organization.rawValue, at: 1)
    statement.bindText(Self.list(handles.sorted()), at: 2)
    var ids: [Int64: (id: String, display: String?)] = [:]
    try statement.forEach { ids[$0.integer(0)] = ($0.text(1), $0.optionalText(2)) }
    return ids
  }

  func catalogReferrers(
    words: [String], attribute: String, types: [ResourceType], in organization: OrganizationID
  ) throws(SCIMError) -> [LinkTarget] {
    var found: [Int64: String] = [:]
    for type in types {
      guard let urn = type.countedExtension,
        let definition = type.extension(urn: urn)?.schema.attribute(named: attribute)
      else { continue }
      let number = try number(ofAttribute: urn + ":" + definition.name, type: number(ofType: type.name))
      guard number != Self.unknown else { continue }
      try settle(number)
      for word in words {
        guard let key = DocumentIndex.key(for: .string(word), of: definition) else { continue }
        try budget.take(WriteCost.statement)
        let statement = try statements.get(.resourcesWithKey)
        statement.bind(organization.rawValue, at: 1)
        statement.bind(number, at: 2)
        statement.bind(key, at: 3)
        statement.bind(.max, at: 4)
        try statement.forEach { (row) throws(SCIMError) in
          try budget.take(WriteCost.handle)
          found[row.integer(0)] = type.name
        }
      }
    }
    let ids = try ids(of: Set(found.keys), in: organization)
    return found.keys.sorted().compactMap { handle in
      guard let id = ids[handle]?.id, let type = found[handle] else { return nil }
      return LinkTarget(handle: handle, type: type, id: id)
    }
  }
}
