import SCIMCore

/// Conditions on `totalAssignmentsUsed`, which is counted when it is read (draft-ietf-scim-roles-entitlements).
///
/// Every role and entitlement has the count, also one that shows no attribute of the extension. No more links are
/// counted than the comparison needs, so that a role with very many holders costs as little as others.
extension FilterCompiler {
  func countedCondition(
    _ reference: AttributeReference, _ test: LeafTest, on resource: SQLName
  ) throws(SCIMError) -> SQLFragment {
    guard case .compare(let comparison, let operand) = test else { return "1" }
    guard case .integer(let given) = operand else { return "0" }
    // Nothing is used less often than never.
    let wanted = max(given, -1)
    switch comparison {
    case .eq, .ne:
      if wanted < 0 { return "0" }
      return "(\(try isUsed(more: wanted - 1, on: resource)) AND NOT \(try isUsed(more: wanted, on: resource)))"
    case .gt: return try isUsed(more: wanted, on: resource)
    case .ge: return try isUsed(more: wanted - 1, on: resource)
    case .lt: return "NOT \(try isUsed(more: wanted - 1, on: resource))"
    case .le: return "NOT \(try isUsed(more: wanted, on: resource))"
    case .co, .sw, .ew: return "0"
    }
  }

  /// That there are more than so many links to the resource: that there is one behind the first so many.
  private func isUsed(more count: Int64, on resource: SQLName) throws(SCIMError) -> SQLFragment {
    guard count >= 0 else { return "1" }
    let edge = alias("l")
    let attributes = try reader.catalogAttributes(in: OrganizationID(rawValue: org))
    return
      "EXISTS (SELECT 1 FROM link \(edge) WHERE \(edge.column("org")) = \(org) AND \(edge.column("target")) = \(resource) AND \(edge.column("attr")) IN (\(attributes)) LIMIT 1 OFFSET \(count))"
  }
}
