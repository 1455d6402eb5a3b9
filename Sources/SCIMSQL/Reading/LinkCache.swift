/// The resources at the other ends of links that one reader has met: a few groups and roles are at the ends of most.
///
/// Good until something is committed, by whomever.
struct LinkCache {
  struct Target {
    var type: String
    var id: String
    var display: String?
  }

  /// One element of a catalogue attribute of a resource that grants.
  struct Grant {
    var attribute: Int64
    var handle: Int64
    var target: Target
  }

  private struct Place: Hashable {
    var attribute: Int64
    var target: Int64
  }

  private var targets: [Int64: Target] = [:]
  private var owners: [Place: [Int64]] = [:]
  private var grants: [Int64: [Grant]] = [:]
  /// Beyond this many all are forgotten.
  private static let maximum = 8192

  mutating func removeAll() {
    guard !targets.isEmpty || !owners.isEmpty || !grants.isEmpty else { return }
    grants.removeAll(keepingCapacity: true)
    targets.removeAll(keepingCapacity: true)
    owners.removeAll(keepingCapacity: true)
  }

  subscript(target: Int64) -> Target? {
    get { targets[target] }
    set {
      if targets.count >= Self.maximum { targets.removeAll() }
      targets[target] = newValue
    }
  }

  /// What a resource grants.
  subscript(grantsOf owner: Int64) -> [Grant]? {
    get { grants[owner] }
    set {
      if grants.count >= Self.maximum { grants.removeAll() }
      grants[owner] = newValue
    }
  }

  /// Those that hold a link to `target` under an attribute.
  subscript(ownersOf target: Int64, under attribute: Int64) -> [Int64]? {
    get { owners[Place(attribute: attribute, target: target)] }
    set {
      if owners.count >= Self.maximum { owners.removeAll() }
      owners[Place(attribute: attribute, target: target)] = newValue
    }
  }
}
