import SCIMCore

extension SQLReader: GovernanceReader {
  public func holderTypes(in organization: OrganizationID) throws(SCIMError) -> [ResourceType] {
    try registry(of: organization).types.filter { !$0.catalogSchemas.isEmpty }
  }

  public func count(of type: ResourceType, in organization: OrganizationID) throws(SCIMError) -> Int {
    try enter()
    let statement = try statements.get(.count)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(try number(ofType: type.name), at: 2)
    return try Int(statement.first { $0.integer(0) } ?? 0)
  }

  public func catalogEntries(in organization: OrganizationID) throws(SCIMError) -> [CatalogEntry] {
    try enter()
    let org = organization.rawValue
    let attributes = try catalogAttributes(in: organization)
    var entries: [CatalogEntry] = []
    for type in try registry(of: organization).types where type.isCatalog {
      try statements.get(
        """
        SELECT r.pk, r.id, r.doc, EXISTS (
          SELECT 1 FROM link l WHERE l.org = \(org) AND l.target = r.pk AND l.attr IN (\(attributes)))
        FROM resource r WHERE r.org = \(org) AND r.type = \(try number(ofType: type.name)) ORDER BY r.pk
        """
      ).forEach { (row) throws(SCIMError) in
        entries.append(
          CatalogEntry(
            handle: row.integer(0), id: row.text(1), document: try Self.stored(row.bytes(2)), type: type,
            isAssigned: row.integer(3) != 0))
      }
    }
    return entries
  }

  public func holders(
    of type: ResourceType, after: Int64?, limit: Int, in organization: OrganizationID
  ) throws(SCIMError) -> HolderPage {
    try enter()
    let org = organization.rawValue
    let number = try number(ofType: type.name)
    var numbers: [SQLFragment] = []
    for (attribute, _) in type.catalogSchemas {
      let attribute = try self.number(ofAttribute: attribute, type: number)
      if attribute != Self.unknown { numbers.append("\(attribute)") }
    }
    let links = numbers.joined(", ")
    var page = HolderPage(holders: [], seen: 0, next: nil)
    var last: Int64 = 0
    try statements.get(
      "SELECT pk, id, doc FROM resource WHERE org = \(org) AND type = \(number) AND pk > \(after ?? 0) ORDER BY pk LIMIT \(Int64(max(limit, 1)))"
    ).forEach { (row) throws(SCIMError) in
      last = row.integer(0)
      page.seen += 1
      let document = try Self.stored(row.bytes(2))
      var holder = Holder(type: type.name, id: row.text(1), document: document, linked: [], unmatched: [])
      try statements.get(
        "SELECT target FROM link WHERE org = \(org) AND owner = \(last) AND attr IN (\(links)) ORDER BY attr, seq"
      ).forEach { holder.linked.append($0.integer(0)) }
      for (attribute, schema) in type.catalogSchemas {
        for element in document[attribute]?.arrayValue ?? [] {
          if let element = element.objectValue { holder.unmatched.append((schema, element)) }
        }
      }
      if !holder.linked.isEmpty || !holder.unmatched.isEmpty { page.holders.append(holder) }
    }
    page.next = page.seen < max(limit, 1) ? nil : last
    return page
  }

  // MARK: Values that match nothing

  public func forEachUnmatchedValue(
    in organization: OrganizationID, _ body: (UnmatchedValue) throws(SCIMError) -> Bool
  ) throws(SCIMError) {
    try enter()
    for type in try holderTypes(in: organization) {
      for (attribute, schema) in type.catalogSchemas {
        let walk = try UnmatchedWalk(
          reader: self, type: type, attribute: attribute, schema: schema, organization: organization)
        guard try walk.run(body) else { return }
      }
    }
  }

  /// A stored document as an object.
  static func stored(_ bytes: [UInt8]) throws(SCIMError) -> JSONObject {
    do throws(JSONError) {
      let limits = JSONLimits(depth: JSONLimits.deepest, distinctIgnoringCase: false)
      if case .object(let object) = try JSON(parsing: bytes, limits: limits) { return object }
    } catch {}
    throw SCIMError(.internalError, "database: a stored document cannot be read")
  }
}

extension ResourceType {
  /// The attributes that hold roles or entitlements, each with the base schema of its catalogue.
  var catalogSchemas: [(attribute: String, schema: String)] {
    links.compactMap { link in
      if case .catalog(let schema) = link.kind { (link.attribute, schema) } else { nil }
    }
  }
}
