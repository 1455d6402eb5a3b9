import SCIMCore

/// The API keys and the registries of organisations that one reader has met, so that neither costs a statement.
///
/// Good for as long as the revision in the database has not moved, which is looked up once for each snapshot.
struct KeyCache {
  private var entries: [[UInt8]: (key: APIKey, organization: Organization)] = [:]
  private var registries: [OrganizationID: SchemaRegistry] = [:]
  private var snapshot: UInt64 = 0
  private var revision: Int64 = 0
  /// Beyond this many all are forgotten.
  private static let maximum = 4096

  func isChecked(in snapshot: UInt64) -> Bool { self.snapshot == snapshot }

  mutating func check(revision: Int64, in snapshot: UInt64) {
    if revision != self.revision {
      entries.removeAll()
      registries.removeAll()
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

  subscript(digest: [UInt8]) -> (key: APIKey, organization: Organization)? {
    get { entries[digest] }
    set {
      if entries.count >= Self.maximum { entries.removeAll() }
      entries[digest] = newValue
    }
  }
}
