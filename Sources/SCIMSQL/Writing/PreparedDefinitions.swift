import SCIMCore

/// What a transaction was handed of definitions, or ends: others have it once that is committed, and never where it is
/// undone.
struct PreparedDefinitions {
  private enum Entry {
    case registry(SchemaRegistry)
    case begun(PendingChange)
    case ended(Int64)
  }

  private var entries: [(organization: OrganizationID, entry: Entry)] = []
  private var marked = 0

  var count: Int { entries.count }

  mutating func add(_ registry: SchemaRegistry, of organization: OrganizationID) {
    entries.append((organization, .registry(registry)))
  }

  mutating func begin(_ change: PendingChange, of organization: OrganizationID) {
    entries.append((organization, .begun(change)))
  }

  mutating func endChange(of organization: OrganizationID, number: Int64) {
    entries.append((organization, .ended(number)))
  }

  /// The change of that number that the transaction has begun.
  func change(of organization: OrganizationID, number: Int64) -> PendingChange? {
    for entry in entries where entry.organization == organization {
      if case .begun(let change) = entry.entry, change.number == number { return change }
    }
    return nil
  }

  /// Notes where a savepoint begins.
  mutating func mark() { marked = entries.count }

  /// Forgets what was noted since the savepoint began.
  mutating func rewind() { rewind(to: marked) }

  mutating func rewind(to count: Int) { entries.removeSubrange(min(count, entries.count)...) }

  mutating func removeAll() {
    entries.removeAll()
    marked = 0
  }

  /// Hands all of it to the readers.
  mutating func publish(to registries: SchemaRegistries) {
    for (organization, entry) in entries {
      switch entry {
      case .registry(let registry): registries.add(registry, of: organization)
      case .begun(let change): registries.add(change, of: organization)
      case .ended(let number): registries.removeChange(of: organization, upTo: number)
      }
    }
    removeAll()
  }
}
