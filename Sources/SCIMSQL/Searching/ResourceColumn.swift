import Foundation
import SCIMCore

/// An attribute that is kept in a column of `resource` or follows from one.
enum ResourceColumn {
  case id, created, modified, version, location, resourceType
  /// `meta` as a whole.
  case meta

  init?(_ reference: AttributeReference) {
    guard reference.home == .common else { return nil }
    switch (reference.attribute.name, reference.sub?.name) {
    case ("id", nil): self = .id
    case ("meta", nil): self = .meta
    case ("meta", "created"): self = .created
    case ("meta", "lastModified"): self = .modified
    case ("meta", "version"): self = .version
    case ("meta", "location"): self = .location
    case ("meta", "resourceType"): self = .resourceType
    default: return nil
    }
  }
}

extension FilterCompiler {
  func columnRows(_ column: ResourceColumn, _ test: LeafTest) -> RowSet? {
    guard case .compare(let comparison, let operand) = test else { return nil }
    let alias = alias("r")
    let condition = self.condition(column, comparison, operand, alias)
    let isKey = comparison == .eq && (column == .id || column == .location)
    let isIndexed = column == .created || column == .modified || column == .id
    return RowSet(
      source:
        "resource \(alias) WHERE \(alias.column("org")) = \(org) AND \(alias.column("type")) = \(typeNumber) AND \(condition)",
      resource: alias.column("pk"), isDistinct: true, isOrdered: !isIndexed || isKey,
      size: isKey ? .one : isIndexed ? .countable : .large)
  }

  func columnCondition(_ column: ResourceColumn, _ test: LeafTest, on resource: SQLName) -> SQLFragment {
    // Every resource has all of them.
    guard case .compare(let comparison, let operand) = test else { return "1" }
    let alias = alias("r")
    let condition = self.condition(column, comparison, operand, alias)
    return
      "EXISTS (SELECT 1 FROM resource \(alias) WHERE \(alias.column("pk")) = \(resource) AND \(condition))"
  }

  private func condition(
    _ column: ResourceColumn, _ comparison: ComparisonOperator, _ operand: FilterOperand, _ alias: SQLName
  ) -> SQLFragment {
    switch (column, operand) {
    case (.id, .text(let text)): TextCondition.make("\(alias.column("id"))", comparison, text)
    case (.created, .instant(let time)): Self.order("\(alias.column("created"))", comparison, time)
    case (.modified, .instant(let time)): Self.order("\(alias.column("modified"))", comparison, time)
    case (.version, .text(let text)):
      TextCondition.make("('W/\"' || \(alias.column("version")) || '\"')", comparison, text)
    case (.resourceType, .text(let text)): TextCondition.holds(type.name, comparison, text) ? "1" : "0"
    case (.location, .text(let text)): self.reference(to: type, alias, comparison, text)
    default: "0"
    }
  }

  /// A condition on the URI of a resource of that type.
  func reference(
    to type: ResourceType, _ alias: SQLName, _ comparison: ComparisonOperator, _ text: String,
    isCaseExact: Bool = true
  ) -> SQLFragment {
    let prefix = isCaseExact ? baseURL + type.endpoint + "/" : Folding.fold(baseURL + type.endpoint + "/")
    let id: SQLFragment = isCaseExact ? "\(alias.column("id"))" : "lower(\(alias.column("id")))"
    guard comparison == .eq else {
      return TextCondition.make("(\(prefix) || \(id))", comparison, text)
    }
    guard text.utf8.starts(with: prefix.utf8) else { return "0" }
    let encoded = String(decoding: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    // In a URI the id is percent-encoded.
    guard let rest = encoded.removingPercentEncoding else { return "0" }
    let uri = ResourceRenderer(baseURL: baseURL).location(type: type, id: rest)
    guard (isCaseExact ? uri : Folding.fold(uri)).utf8.elementsEqual(text.utf8) else { return "0" }
    return isCaseExact ? "\(id) = \(rest)" : Self.foldedID(alias, rest)
  }

  /// That the id is that text, letter case aside: found in one of two indexes.
  static func foldedID(_ alias: SQLName, _ text: String) -> SQLFragment {
    "(\(alias.column("id")) = \(text) OR (\(alias.column("id")) <> lower(\(alias.column("id"))) AND lower(\(alias.column("id"))) = \(text)))"
  }

  private static func order(
    _ column: SQLFragment, _ comparison: ComparisonOperator, _ time: Timestamp
  ) -> SQLFragment {
    switch comparison {
    case .eq, .ne: "\(column) = \(time.milliseconds)"
    case .gt: "\(column) > \(time.milliseconds)"
    case .ge: "\(column) >= \(time.milliseconds)"
    case .lt: "\(column) < \(time.milliseconds)"
    case .le: "\(column) <= \(time.milliseconds)"
    case .co, .sw, .ew: "0"
    }
  }
}
