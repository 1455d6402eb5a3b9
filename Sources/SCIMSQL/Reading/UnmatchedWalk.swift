import SCIMCore

/// Walks the values of one attribute that stand in documents, since they are linked to nothing: by the index, value
/// after value, so that no more than one value's types are kept at a time.
struct UnmatchedWalk {
  private let reader: SQLReader
  private let type: ResourceType
  private let link: LinkDefinition
  private let schema: String
  private let org: Int64
  private let valueNumber: Int64
  private let typeNumber: Int64
  private let displayNumber: Int64
  private let definition: AttributeDefinition?

  init(
    reader: SQLReader, type: ResourceType, link: LinkDefinition, schema: String, organization: OrganizationID
  ) throws(SCIMError) {
    self.reader = reader
    self.type = type
    self.link = link
    self.schema = schema
    org = organization.rawValue
    let number = try reader.number(ofType: type.name)
    valueNumber = try reader.number(ofAttribute: link.attribute + ".value", type: number)
    typeNumber = try reader.number(ofAttribute: link.attribute + ".type", type: number)
    displayNumber = try reader.number(ofAttribute: link.attribute + ".display", type: number)
    definition = type.definition(of: link)
  }

  /// The elements with the same value and type.
  private struct Group {
    var holders = 0
    var last: Int64 = 0
    var first: Int64
  }

  /// Gives false where `body` ended the walk.
  func run(_ body: (UnmatchedValue) throws(SCIMError) -> Bool) throws(SCIMError) -> Bool {
    guard try walk(valueRows, name: "value", body) else { return false }
    return try walk(displayRows, name: "display", body)
  }

  /// The types of the elements, made into a table of their own, which the engine indexes by resource and element.
  private var types: SQLFragment {
    """
    WITH t AS MATERIALIZED (
      SELECT s.resource, s.element, s.key FROM key s WHERE s.org = \(org) AND s.attr = \(typeNumber))
    """
  }

  /// A row for each element with a value.
  private var valueRows: SQLFragment {
    """
    \(types) SELECT k.key, k.resource, t.key FROM key k
    LEFT JOIN t ON t.resource = k.resource AND t.element = k.element
    WHERE k.org = \(org) AND k.attr = \(valueNumber) ORDER BY k.key, k.resource
    """
  }

  /// A row for each element that has a name and no value.
  private var displayRows: SQLFragment {
    """
    \(types) SELECT k.key, k.resource, t.key FROM key k
    LEFT JOIN t ON t.resource = k.resource AND t.element = k.element
    WHERE k.org = \(org) AND k.attr = \(displayNumber) AND (k.resource, k.element) NOT IN (
      SELECT v.resource, v.element FROM key v WHERE v.org = \(org) AND v.attr = \(valueNumber))
    ORDER BY k.key, k.resource
    """
  }

  private func walk(
    _ rows: SQLFragment, name: String, _ body: (UnmatchedValue) throws(SCIMError) -> Bool
  ) throws(SCIMError) -> Bool {
    let statement = try reader.statements.get(rows)
    defer { statement.reset() }
    var key: String?
    var groups: [String: Group] = [:]
    while try statement.step() {
      try reader.budget.take(ReadCost.row)
      let next = statement.text(0)
      if let key, key != next {
        guard try hand(out: groups, key: key, name: name, body) else { return false }
        groups.removeAll(keepingCapacity: true)
      }
      key = next
      let holder = statement.integer(1)
      var group = groups[statement.optionalText(2) ?? ""] ?? Group(first: holder)
      if group.last != holder { group.holders += 1 }
      group.last = holder
      groups[statement.optionalText(2) ?? ""] = group
    }
    guard let key else { return true }
    return try hand(out: groups, key: key, name: name, body)
  }

  private func hand(
    out groups: [String: Group], key: String, name: String, _ body: (UnmatchedValue) throws(SCIMError) -> Bool
  ) throws(SCIMError) -> Bool {
    for (type, group) in groups.sorted(by: { $0.key < $1.key }) {
      guard try body(value(of: group, key: key, name: name, type: type)) else { return false }
    }
    return true
  }

  /// The value as the first holder has it: the index has it folded.
  private func value(
    of group: Group, key: String, name: String, type typeKey: String
  ) throws(SCIMError) -> UnmatchedValue {
    let row = try reader.statements.get(
      "SELECT id, display, doc FROM resource WHERE pk = \(group.first) AND org = \(org)"
    ).first { (row) throws(SCIMError) in (row.text(0), row.optionalText(1), try SQLReader.stored(row.bytes(2))) }
    let elements = row?.2[link]?.arrayValue ?? []
    try reader.budget.take(elements.count * 2)
    let element = elements.first {
      self.key($0[name], of: name) == key && (self.key($0["type"], of: "type") ?? "") == typeKey
        && (name == "value" || $0["value"] == nil)
    }
    return UnmatchedValue(
      schema: schema, value: element?["value"]?.stringValue ?? (name == "value" ? key : ""),
      type: element?["type"]?.stringValue ?? typeKey, display: element?["display"]?.stringValue ?? "",
      holders: group.holders, example: row?.1 ?? row?.0 ?? "", exampleID: row?.0 ?? "")
  }

  private func key(_ value: JSON?, of sub: String) -> String? {
    guard let value, let definition = definition?.subAttribute(named: sub) else { return nil }
    return DocumentIndex.key(for: value, of: definition)
  }
}
