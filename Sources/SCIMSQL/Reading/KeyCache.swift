import SCIMCore

/// The API keys and the registries of organisations that one reader has met, so that neither costs a statement.
///
/// Good for as long as the revision in the database has not moved, which is looked up once for each snapshot.
struct KeyCache {
  typealias Entry = (key: APIKey, organization: Organization)
  private var entries: [[UInt8]: Entry] = [:]
  /// What was asked for last, which is mostly what is asked for next.
  private var last: (digest: [UInt8], entry: Entry)?
  private var registries: [OrganizationID: SchemaRegistry] = [:]
  /// Changes that are under way, by organisation; nil inside for none.
  private var changes: [OrganizationID: PendingChange?] = [:]
  private var snapshot: UInt64 = 0
  private var revision: Int64 = 0
  /// Beyond this many all are forgotten.
  private static let maximum = 4096

  func isChecked(in snapshot: UInt64) -> Bool { self.snapshot == snapshot }

  mutating func check(revision: Int64, in snapshot: UInt64) {
    if revision != self.revision {
      entries.removeAll()
      last = nil
      registries.removeAll()
      changes.removeAll()
    }
    self.revision = revision
    self.snapshot = snapshot
  }

  subscript(organization: OrganizationID) -> SchemaRegistry? {
    get { registries[organization] }
    set {
      if registries.count >= Self.maximum { registries.removeAll() }
      registries[organization] = newValue
    }
  }

  /// What is known of the change of an organisation's definitions that is under way; nil where that has to be looked up.
  func change(of organization: OrganizationID) -> PendingChange?? { changes[organization] }

  mutating func add(_ change: PendingChange?, of organization: OrganizationID) {
    if changes.count >= Self.maximum { changes.removeAll() }
    changes.updateValue(change, forKey: organization)
  }

  mutating func find(_ digest: [UInt8]) -> Entry? {
    if let last, last.digest == digest { return last.entry }
    guard let found = entries[digest] else { return nil }
    last = (digest, found)
    return found
  }

  mutating func add(_ entry: Entry, digest: [UInt8]) {
    if entries.count >= Self.maximum { entries.removeAll() }
    entries[digest] = entry
  }
}
