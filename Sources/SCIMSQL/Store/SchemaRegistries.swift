import SCIMCore
import Synchronization

/// The registries of all organisations and the changes of definitions that are under way, shared by the readers of a store.
///
/// An organisation without definitions of its own has the base; each other one has a registry that is made when first
/// asked for and kept until its definitions change.
final class SchemaRegistries: Sendable {
  /// What every organisation has.
  let base: SchemaRegistry
  private let own = Mutex<[OrganizationID: SchemaRegistry]>([:])
  private let changes = Mutex<[OrganizationID: PendingChange]>([:])
  /// Beyond this many all are forgotten, so that memory does not grow with the number of organisations for ever.
  private static let maximum = 16_384

  init(_ base: SchemaRegistry) { self.base = base }

  /// The registry of an organisation at that revision of its definitions; nil where it has to be made.
  func registry(of organization: OrganizationID, revision: Int64) -> SchemaRegistry? {
    if revision == 0 { return base }
    let known = own.withLock { $0[organization] }
    return known?.revision == revision ? known : nil
  }

  /// Keeps a registry that was made of committed definitions, unless a newer one is there.
  func add(_ registry: SchemaRegistry, of organization: OrganizationID) {
    own.withLock { own in
      if let known = own[organization], known.revision >= registry.revision { return }
      if own.count >= Self.maximum { own.removeAll() }
      own[organization] = registry
    }
  }

  /// The change of that number, as far as it is known here. No other one ever had it.
  func change(of organization: OrganizationID, number: Int64) -> PendingChange? {
    let known = changes.withLock { $0[organization] }
    return known?.number == number ? known : nil
  }

  /// Keeps a change that is committed, in place of an earlier one.
  func add(_ change: PendingChange, of organization: OrganizationID) {
    changes.withLock { changes in
      if let known = changes[organization], known.number >= change.number { return }
      if changes.count >= Self.maximum { changes.removeAll() }
      changes[organization] = change
    }
  }

  /// Forgets a change that has ended.
  func removeChange(of organization: OrganizationID, upTo number: Int64) {
    changes.withLock { changes in
      if let known = changes[organization], known.number <= number { changes[organization] = nil }
    }
  }
}
