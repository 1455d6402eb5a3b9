import SCIMCore

/// The resources at the other ends of links and references that one reader has met: a few groups, roles and managers are
/// at the ends of most.
///
/// What it saves: a look-up by number for each element of a user's groups and roles, and one by id for the manager; a
/// quarter of the instructions of a read of a user. What makes an entry stale: the revisions of targets and of links,
/// which every commit moves that changes or deletes something remembered here. Bound: `maximum` entries of each kind,
/// twice.
struct LinkCache {
  struct Target {
    var organization: OrganizationID
    var end: LinkEnd
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

  private struct Reference: Hashable {
    var organization: OrganizationID
    var id: String
  }

  private var targets = RecentValues<Int64, Target>(maximum: maximum)
  private var references = RecentValues<Reference, ReferencedResource>(maximum: maximum)
  private var owners = RecentValues<Place, [Int64]>(maximum: maximum)
  private var grants = RecentValues<Int64, [Grant]>(maximum: maximum)
  private var revisions = Revisions()
  private static let maximum = 8192

  /// Forgets what may have changed since the revisions that it was remembered at.
  mutating func check(_ revisions: Revisions) {
    guard revisions != self.revisions else { return }
    if revisions.targets != self.revisions.targets || revisions.keys != self.revisions.keys {
      targets.removeAll()
      references.removeAll()
      grants.removeAll()
    }
    if revisions.links != self.revisions.links || revisions.keys != self.revisions.keys {
      owners.removeAll()
      grants.removeAll()
    }
    self.revisions = revisions
  }

  mutating func target(_ handle: Int64, in organization: OrganizationID) -> Target? {
    guard let known = targets[handle], known.organization == organization else { return nil }
    return known
  }

  mutating func add(_ target: Target, handle: Int64) { targets[handle] = target }

  /// The resource that a reference names, where it is of one of the types with these names. Ids are unique over types.
  mutating func reference(id: String, types: [String], in organization: OrganizationID) -> ReferencedResource? {
    guard let known = references[Reference(organization: organization, id: id)], types.contains(known.type) else {
      return nil
    }
    return known
  }

  /// Only what exists is remembered: what is created moves no revision.
  mutating func add(_ resource: ReferencedResource, in organization: OrganizationID) {
    references[Reference(organization: organization, id: resource.id)] = resource
  }

  /// What a resource grants.
  subscript(grantsOf owner: Int64) -> [Grant]? {
    mutating get { grants[owner] }
    set { grants[owner] = newValue }
  }

  /// Those that hold a link to `target` under an attribute.
  subscript(ownersOf target: Int64, under attribute: Int64) -> [Int64]? {
    mutating get { owners[Place(attribute: attribute, target: target)] }
    set { owners[Place(attribute: attribute, target: target)] = newValue }
  }
}

/// A dictionary that keeps the values that were used last: between `maximum` and twice as many.
struct RecentValues<Key: Hashable, Value> {
  private let maximum: Int
  private var recent: [Key: Value] = [:]
  /// What was used before `recent` was begun.
  private var former: [Key: Value] = [:]

  init(maximum: Int) { self.maximum = maximum }

  var count: Int { recent.count + former.count }
  var isEmpty: Bool { recent.isEmpty && former.isEmpty }

  mutating func removeAll() {
    guard !isEmpty else { return }
    recent.removeAll(keepingCapacity: true)
    former.removeAll(keepingCapacity: false)
  }

  subscript(key: Key) -> Value? {
    mutating get {
      if let value = recent[key] { return value }
      guard !former.isEmpty, let value = former[key] else { return nil }
      self[key] = value
      return value
    }
    set {
      if recent.count >= maximum {
        former = recent
        recent = Dictionary(minimumCapacity: maximum)
      }
      recent[key] = newValue
    }
  }
}
