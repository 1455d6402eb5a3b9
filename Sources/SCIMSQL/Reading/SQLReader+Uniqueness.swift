import SCIMCore

/// Values that become unique for an organisation that has resources already. The index has each value of an attribute in
/// the form in which it is compared, so that no document is read.
extension SQLReader {
  func resourcesSharing(
    _ path: String, of type: ResourceType, limit: Int, in organization: OrganizationID
  ) throws(SCIMError) -> [[String]] {
    try pin()
    defer { unpin() }
    let stored = try registry(of: organization).type(named: type.name) ?? type
    let attribute = try number(ofAttribute: stored.indexPath(path), type: number(ofType: type.name))
    guard attribute != Self.unknown else { return [] }
    try settle()
    let org = organization.rawValue
    var keys: [String] = []
    try statements.get(
      """
      SELECT key FROM key WHERE org = \(org) AND attr = \(attribute) AND key <> ''
      GROUP BY key HAVING count(*) > 1 ORDER BY min(resource) LIMIT \(Int64(limit))
      """
    ).forEach { keys.append($0.text(0)) }
    var found: [[String]] = []
    for key in keys {
      var ids: [String] = []
      try statements.get(
        """
        SELECT r.id FROM key k JOIN resource r ON r.pk = k.resource
        WHERE k.org = \(org) AND k.attr = \(attribute) AND k.key = \(key) ORDER BY k.resource LIMIT \(Int64(limit))
        """
      ).forEach { ids.append($0.text(0)) }
      found.append(ids)
    }
    return found
  }
}
