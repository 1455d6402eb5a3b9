import SCIMCore

/// Conditions on `totalAssignmentsUsed`, which is counted when it is read (draft-ietf-scim-roles-entitlements).
extension FilterCompiler {
  func countedCondition(
    _ reference: AttributeReference, _ test: LeafTest, on resource: SQLName
  ) throws(SCIMError) -> SQLFragment {
    guard case .extension(let urn) = reference.home else { return "0" }
    // Only resources that have the extension show the count.
    let alias = alias("k")
    let isShown: SQLFragment =
      "EXISTS (SELECT 1 FROM key \(alias) WHERE \(alias.column("org")) = \(org) AND \(alias.column("attr")) = \(try number(of: CommonAttributes.schemas.name)) AND \(alias.column("key")) = \(Folding.normalize(urn)) AND \(alias.column("resource")) = \(resource))"
    guard case .compare(let comparison, let operand) = test else { return isShown }
    guard case .integer(let wanted) = operand else { return "0" }
    let edge = self.alias("l")
    let count: SQLFragment =
      "(SELECT count(*) FROM link \(edge) WHERE \(edge.column("org")) = \(org) AND \(edge.column("target")) = \(resource) AND \(edge.column("attr")) IN (\(try reader.catalogAttributes(in: OrganizationID(rawValue: org)))))"
    let condition: SQLFragment =
      switch comparison {
      case .eq, .ne: "\(count) = \(wanted)"
      case .gt: "\(count) > \(wanted)"
      case .ge: "\(count) >= \(wanted)"
      case .lt: "\(count) < \(wanted)"
      case .le: "\(count) <= \(wanted)"
      case .co, .sw, .ew: "0"
      }
    return "(\(isShown) AND \(condition))"
  }
}
