import SCIMCore

/// Numbers in the database that move with what readers remember across commits; looked up once for each snapshot.
///
/// They move in the transaction of the change, so a reader that finds the one it knew also finds what it remembers.
struct Revisions: Equatable {
  /// Keys, organisations, and definitions.
  var keys: Int64 = 0
  /// What a resource that others refer to is shown by: its display; and whether it exists. Not its creation.
  var targets: Int64 = 0
  /// Links whose owners may be looked up for others: members, and what they are granted.
  var links: Int64 = 0
}

extension SQLReader {
  /// The revisions of the present snapshot.
  func readRevisions() throws(SCIMError) -> Revisions {
    try statements.get(.revisions).first {
      Revisions(keys: $0.integer(0), targets: $0.integer(1), links: $0.integer(2))
    } ?? Revisions()
  }
}

/// Which revisions a transaction has to move before it is committed.
struct RevisionChanges {
  private var targets = false
  private var links = false

  /// Resources were deleted, or are shown by another display.
  mutating func targetsChanged() { targets = true }

  /// Links were made or removed whose owners may be looked up for others.
  mutating func linksChanged() { links = true }

  mutating func removeAll() { self = RevisionChanges() }

  /// The names of the settings to move.
  var settings: [String] { (targets ? ["target_revision"] : []) + (links ? ["link_revision"] : []) }
}

extension SQLTransaction {
  /// Moves the revisions of what was changed. A change that was undone moves them too, which costs readers a look.
  func moveRevisions() throws(SCIMError) {
    for name in revisionChanges.settings {
      let statement = try statements.get(.moveRevision)
      statement.bind(name, at: 1)
      try statement.run()
    }
    revisionChanges.removeAll()
  }

  /// Notes that links of an owner of the type with that number change.
  func linksChange(ofType number: Int64, in organization: OrganizationID) throws(SCIMError) {
    let name = try name(ofType: number)
    guard let type = try registry(of: organization).type(named: name) else { return revisionChanges.linksChanged() }
    // Links of all others are read with their owner alone.
    if type.hasMembers { revisionChanges.linksChanged() }
  }
}
