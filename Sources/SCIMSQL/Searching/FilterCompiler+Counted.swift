import SCIMCore

/// Conditions on `totalAssignmentsUsed` (draft-ietf-scim-roles-entitlements), which stands in no document: the number is
/// kept with the links.
///
/// Every role and entitlement has the count, also one that shows no attribute of the extension.
extension FilterCompiler {
  func countedCondition(
    _ reference: AttributeReference, _ test: LeafTest, on resource: SQLName
  ) throws(SCIMError) -> SQLFragment {
    guard case .compare(let comparison, let operand) = test else { return "1" }
    guard case .integer(let wanted) = operand else { return "0" }
    let attributes = try reader.catalogAttributes(in: OrganizationID(rawValue: org)).list
    let counts = alias("c")
    let count: SQLFragment =
      "(SELECT coalesce(sum(\(counts.column("count"))), 0) FROM assignment_count \(counts) WHERE \(counts.column("org")) = \(org) AND \(counts.column("resource")) = \(resource) AND \(counts.column("attr")) IN (\(attributes)))"
    switch comparison {
    case .eq, .ne: return "\(count) = \(wanted)"
    case .gt: return "\(count) > \(wanted)"
    case .ge: return "\(count) >= \(wanted)"
    case .lt: return "\(count) < \(wanted)"
    case .le: return "\(count) <= \(wanted)"
    case .co, .sw, .ew: return "0"
    }
  }
}
