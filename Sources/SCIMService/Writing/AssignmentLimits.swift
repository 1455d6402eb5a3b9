import SCIMCore

/// The limits that a role or an entitlement sets on its assignments (draft-ietf-scim-roles-entitlements-01).
enum AssignmentLimits {
  /// Checks a target that has just been linked anew, inside the same transaction, so that the count includes it.
  ///
  /// - Throws: `invalidValue` where the target takes no new assignments (`supported: false`), or where it has more than
  ///   `totalAssignmentsPermitted` with `limitedAssignmentsPermitted: true`.
  static func check(
    _ target: LinkTarget, attribute: String, registry: SchemaRegistry,
    _ transaction: any TenantTransaction
  ) throws(SCIMError) {
    guard let type = registry.type(named: target.type),
      let urn = type.countedExtension,
      let stored = try transaction.resource(id: target.id, type: type, links: .none)
    else { return }
    // What an entry contains can make it long: that is passed over, not parsed.
    try transaction.budget.take(WriteCost.statement + WriteCost.parsing(stored.document.count) / 4)
    guard let settings = try StoredDocument.member(urn, of: stored)?.objectValue else { return }
    if settings["supported"]?.boolValue == false {
      throw SCIMError(
        .invalidValue, "'\(attribute)' names '\(target.id)', which allows no new assignments.", attribute: attribute)
    }
    guard settings["limitedAssignmentsPermitted"]?.boolValue == true,
      let permitted = settings["totalAssignmentsPermitted"]?.integerValue
    else { return }
    if Int64(try transaction.assignmentsUsed(of: target.handle)) > permitted {
      throw SCIMError(
        .invalidValue,
        "'\(attribute)' names '\(target.id)', all of whose \(permitted) permitted assignments are in use.",
        attribute: attribute)
    }
  }
}
