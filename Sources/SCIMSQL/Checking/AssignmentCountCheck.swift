import SCIMCore

/// The numbers of assignments, which are kept with the links, against the links themselves.
enum AssignmentCountCheck {
  private static let counted: SQLFragment =
    """
    SELECT l.org, l.target, l.attr, count(*) FROM link l JOIN attribute a ON a.id = l.attr
    WHERE a.path <> 'members' GROUP BY l.org, l.target, l.attr
    """
  private static let kept: SQLFragment = "SELECT org, resource, attr, count FROM assignment_count"

  /// How many there are that one of the two lacks.
  static let differences: SQLFragment =
    """
    SELECT (SELECT count(*) FROM (\(counted) EXCEPT \(kept))) + (SELECT count(*) FROM (\(kept) EXCEPT \(counted)))
    """

  /// The statements that make those of an organisation anew.
  static func repair(_ organization: OrganizationID) -> [SQLFragment] {
    let org = organization.rawValue
    return [
      "DELETE FROM assignment_count WHERE org = \(org)",
      "INSERT INTO assignment_count (org, resource, attr, count) SELECT * FROM (\(counted)) WHERE org = \(org)",
    ]
  }
}
