import SCIMCore

/// Holds a database against what it should be: the engine's own checks, and for each document its index keys, unique
/// values, display, links and counts.
public struct StoreCheck {
  /// Something that is not as it should be; it names where, and no values.
  public struct Problem: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
      case engine, foreignKey, definition, document, keys, uniqueKeys, signature, display, orphan, count, crossing
      /// Under a number that no type or attribute has, or one of another type.
      case name
      /// Roles or entitlements that are parts of themselves.
      case circle
      /// An id that two resources have, or that none may have.
      case id
    }

    public var kind: Kind
    public var organization: OrganizationID?
    /// The type and the id of the resource, where the problem belongs to one.
    public var type: String?
    public var id: String?
    public var text: String

    public init(
      kind: Kind, organization: OrganizationID? = nil, type: String? = nil, id: String? = nil, text: String
    ) {
      self.kind = kind
      self.organization = organization
      self.type = type
      self.id = id
      self.text = text
    }
  }

  private let reader: SQLReader
  private let dialect: Dialect

  init(reader: SQLReader, dialect: Dialect) {
    self.reader = reader
    self.dialect = dialect
  }

  /// Checks everything in one snapshot. `progress` is told every thousand resources how many were looked at.
  public func run(progress: (_ resources: Int) -> Void = { _ in }) throws(SCIMError) -> [Problem] {
    var problems: [Problem] = []
    try reader.hold()
    defer { reader.release() }
    try checkEngine(&problems)
    let organizations = try reader.organizations()
    var seen = 0
    for organization in organizations {
      let registry: SchemaRegistry
      do throws(SCIMError) {
        registry = try reader.registry(of: organization.id)
      } catch {
        problems.append(Problem(kind: .definition, organization: organization.id, text: error.detail))
        continue
      }
      for one in registry.unreadable {
        problems.append(
          Problem(
            kind: .definition, organization: organization.id, type: one.kind == .type ? one.name : nil,
            text: "a definition cannot be read: \(one.reason)"))
      }
      checkCircles(in: organization.id, &problems)
      try checkIDs(in: organization.id, &problems)
      var index = IndexCheck(reader: reader, organization: organization.id.rawValue)
      let staleDisplays = try index.typesWithStaleDisplays()
      var counts: [Int64: Int64] = [:]
      var last: Int64 = 0
      // In pages, so that no statement stays open while others run.
      while true {
        let rows = try page(of: organization.id, after: last)
        guard let end = rows.last else { break }
        last = end.handle
        for row in rows {
          counts[row.type, default: 0] += 1
          try check(
            row, organization: organization.id, registry: registry, &index,
            checksDisplay: !staleDisplays.contains(row.type),
            &problems)
          seen += 1
          if seen % 1000 == 0 { progress(seen) }
        }
      }
      try checkCounts(counts, organization: organization.id, &problems)
      for group in try LinkCheck(reader: reader, organization: organization.id.rawValue, registry: registry).misplaced()
      {
        problems.append(
          Problem(
            kind: .name, organization: organization.id, type: try reader.storedName(ofType: group.ownerType),
            text: "\(group.count) links are under no attribute that can hold them"))
      }
      for (kind, text) in try index.surplus() {
        problems.append(Problem(kind: kind, organization: organization.id, text: text))
      }
    }
    try checkStrays(&problems)
    progress(seen)
    return problems
  }

  // MARK: The engine

  private func checkEngine(_ problems: inout [Problem]) throws(SCIMError) {
    for text in dialect.integrityChecks {
      try reader.statements.get(SQLFragment(trusted: text)).forEach {
        let answer = $0.text(0)
        if answer != "ok" { problems.append(Problem(kind: .engine, text: answer)) }
      }
    }
    for text in dialect.foreignKeyChecks {
      try reader.statements.get(SQLFragment(trusted: text)).forEach {
        problems.append(
          Problem(kind: .foreignKey, text: "a row of '\($0.text(0))' refers to a row that does not exist"))
      }
    }
  }

  // MARK: Resources

  private struct Row {
    var handle: Int64
    var type: Int64
    var id: String
    var display: String?
    var displayKey: String?
    var document: [UInt8]
  }

  private func page(of organization: OrganizationID, after: Int64) throws(SCIMError) -> [Row] {
    var rows: [Row] = []
    let org = organization.rawValue
    try reader.statements.get(
      "SELECT pk, type, id, display, display_key, doc FROM resource WHERE org = \(org) AND pk > \(after) ORDER BY pk LIMIT 500"
    ).forEach {
      rows.append(
        Row(
          handle: $0.integer(0), type: $0.integer(1), id: $0.text(2), display: $0.optionalText(3),
          displayKey: $0.optionalText(4), document: $0.bytes(5)))
    }
    return rows
  }

  private func check(
    _ row: Row, organization: OrganizationID, registry: SchemaRegistry, _ index: inout IndexCheck,
    checksDisplay: Bool, _ problems: inout [Problem]
  ) throws(SCIMError) {
    let name = try reader.storedName(ofType: row.type)
    func report(_ kind: Problem.Kind, _ text: String) {
      problems.append(Problem(kind: kind, organization: organization, type: name, id: row.id, text: text))
    }
    guard let name else { return report(.name, "its type has no name") }
    guard let type = registry.type(named: name) else { return report(.document, "its type is not defined") }
    guard let document = try? JSON(parsing: row.document).objectValue else {
      return report(.document, "its document is no JSON object")
    }
    if document["id"]?.stringValue != row.id { report(.document, "its document has another id") }
    if try !index.hasKeys(of: document, type: type, number: row.type, resource: row.handle) {
      report(.keys, "its index keys are not those of its document")
    }
    if try !index.hasUniqueKeys(
      of: document, type: type, settings: registry.settings, number: row.type, resource: row.handle)
    {
      report(.uniqueKeys, "its unique values are not those of its document")
    }
    if try !index.hasSignature(of: document, type: type, number: row.type, resource: row.handle) {
      report(.signature, "its signature is not that of its texts")
    }
    let display = DocumentIndex.display(of: document, type: type)
    if checksDisplay, display != row.display || display.map(Folding.fold) != row.displayKey {
      report(.display, "its display is not that of its document")
    }
  }

  /// Roles and entitlements that are parts of themselves: a name that is free again can make them so.
  private func checkCircles(in organization: OrganizationID, _ problems: inout [Problem]) {
    // A document that cannot be read is told of by itself.
    guard let entries = try? reader.catalogEntries(in: organization),
      entries.contains(where: { !$0.contains.isEmpty || !$0.containedBy.isEmpty })
    else { return }
    for index in ContainmentGraph(entries, names: CatalogNames(entries)).circular {
      problems.append(
        Problem(
          kind: .circle, organization: organization, type: entries[index].type, id: entries[index].id,
          text: "is a part of itself by 'contains' and 'containedBy'"))
    }
  }

  /// Ids are unique over all types, are not issued again after a deletion, and do not contain "bulkId".
  private func checkIDs(in organization: OrganizationID, _ problems: inout [Problem]) throws(SCIMError) {
    let org = organization.rawValue
    let checks: [(String, SQLFragment)] = [
      (
        "another resource has its id",
        """
        SELECT r.type, r.id FROM resource r
        WHERE r.org = \(org) AND EXISTS (
          SELECT 1 FROM resource o WHERE o.org = \(org) AND o.id = r.id AND o.type <> r.type)
        ORDER BY r.id, r.type
        """
      ),
      (
        "a resource that was deleted had its id",
        """
        SELECT r.type, r.id FROM deleted_id d CROSS JOIN resource r ON r.org = \(org) AND r.id = d.id
        WHERE d.org = \(org) ORDER BY r.id
        """
      ),
      (
        "its id contains \"bulkId\"",
        "SELECT type, id FROM resource WHERE org = \(org) AND lower(id) LIKE '%bulkid%' ORDER BY id"
      ),
    ]
    for (text, query) in checks {
      var found: [(type: Int64, id: String)] = []
      try reader.statements.get(query).forEach { found.append(($0.integer(0), $0.text(1))) }
      for (type, id) in found {
        problems.append(
          Problem(
            kind: .id, organization: organization, type: try reader.storedName(ofType: type), id: id, text: text))
      }
    }
  }

  // MARK: What belongs to no resource

  private func checkCounts(
    _ counts: [Int64: Int64], organization: OrganizationID, _ problems: inout [Problem]
  ) throws(SCIMError) {
    var stored: [Int64: Int64] = [:]
    try reader.statements.get(
      "SELECT type, count FROM resource_count WHERE org = \(organization.rawValue) AND count <> 0"
    ).forEach { stored[$0.integer(0)] = $0.integer(1) }
    for type in Set(counts.keys).union(stored.keys).sorted() where counts[type] != stored[type] {
      problems.append(
        Problem(
          kind: .count, organization: organization, type: try reader.storedName(ofType: type),
          text: "\(counts[type] ?? 0) resources are counted as \(stored[type] ?? 0)"))
    }
  }

  private func checkStrays(_ problems: inout [Problem]) throws(SCIMError) {
    let checks: [(Problem.Kind, String, SQLFragment)] = [
      (.count, "numbers of assignments are not those of the links", AssignmentCountCheck.differences),
      (
        .orphan, "unfinished deletions are of what does not exist",
        """
        SELECT count(*) FROM deletion d
        WHERE NOT EXISTS (SELECT 1 FROM organization o WHERE o.id = d.org)
          OR d.resource <> 0 AND NOT EXISTS (SELECT 1 FROM resource r WHERE r.pk = d.resource AND r.org = d.org)
        """
      ),
      (
        .name, "index keys are under no attribute of their type",
        """
        SELECT count(*) FROM key k CROSS JOIN resource r ON r.pk = k.resource
        WHERE NOT EXISTS (SELECT 1 FROM attribute a WHERE a.id = k.attr AND a.type = r.type)
        """
      ),
      (
        .name, "unique values are under no attribute of their type",
        """
        SELECT count(*) FROM unique_key k CROSS JOIN resource r ON r.pk = k.resource
        WHERE NOT EXISTS (SELECT 1 FROM attribute a WHERE a.id = k.attr AND a.type = r.type)
        """
      ),
      (
        .name, "signatures are of no type",
        "SELECT count(*) FROM signature s WHERE NOT EXISTS (SELECT 1 FROM type t WHERE t.id = s.type)"
      ),
      (
        .name, "counts are of no type",
        "SELECT count(*) FROM resource_count c WHERE NOT EXISTS (SELECT 1 FROM type t WHERE t.id = c.type)"
      ),
      (
        .name, "links are under no attribute of their owner's type",
        """
        SELECT count(*) FROM link l CROSS JOIN resource r ON r.pk = l.owner
        WHERE NOT EXISTS (SELECT 1 FROM attribute a WHERE a.id = l.attr AND a.type = r.type)
        """
      ),
      (
        .orphan, "index keys belong to no resource of their organisation",
        """
        SELECT count(*) FROM key k WHERE NOT EXISTS (SELECT 1 FROM resource r WHERE r.pk = k.resource AND r.org = k.org)
          AND NOT EXISTS (SELECT 1 FROM stale_index s WHERE s.org = k.org AND s.kind = 'key' AND s.number = k.attr)
        """
      ),
      (
        .orphan, "unique values belong to no resource of their organisation",
        """
        SELECT count(*) FROM unique_key k
        WHERE NOT EXISTS (SELECT 1 FROM resource r WHERE r.pk = k.resource AND r.org = k.org)
          AND NOT EXISTS (SELECT 1 FROM stale_index s WHERE s.org = k.org AND s.kind = 'unique' AND s.number = k.attr)
        """
      ),
      (
        .crossing, "links do not stay inside their organisation",
        """
        SELECT count(*) FROM link l
        WHERE NOT EXISTS (SELECT 1 FROM resource r WHERE r.pk = l.owner AND r.org = l.org)
          OR NOT EXISTS (SELECT 1 FROM resource r WHERE r.pk = l.target AND r.org = l.org)
        """
      ),
    ]
    for (kind, text, query) in checks {
      let count = try reader.statements.get(query).first { $0.integer(0) } ?? 0
      if count > 0 { problems.append(Problem(kind: kind, text: "\(count) \(text)")) }
    }
  }
}

extension SQLStore {
  /// A check of this database; to be run on the thread that asks for it.
  public func makeCheck() throws(SCIMError) -> StoreCheck {
    StoreCheck(reader: try longReader(), dialect: dialect)
  }
}
