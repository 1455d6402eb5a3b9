import SCIMCore
import Synchronization

/// The registries of all organisations, shared by the readers of a store.
///
/// An organisation without definitions of its own has the base; each other one has a registry that is made when first
/// asked for and kept until its definitions change.
final class SchemaRegistries: Sendable {
  /// What every organisation has.
  let base: SchemaRegistry
  private let own = Mutex<[OrganizationID: SchemaRegistry]>([:])
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
}
