import SCIMCore

/// Links a group to its members without loading the members it has.
struct MembershipLinker {
  let organization: OrganizationID
  let registry: SchemaRegistry
  let attribute: String
  /// The types that a member may have.
  let types: [ResourceType]

  /// The resources that the elements name, each once, in order.
  ///
  /// - Throws: `invalidValue` naming the unknown ids, and them alone.
  func targets(
    of elements: [JSONObject], in transaction: any StoreTransaction
  ) throws(SCIMError) -> [LinkTarget] {
    var ids: [String] = []
    ids.reserveCapacity(elements.count)
    for element in elements {
      guard let id = element["value"]?.stringValue, !id.isEmpty else {
        throw SCIMError(.invalidValue, "An element of '\(attribute)' has no 'value'.", attribute: attribute)
      }
      ids.append(id)
    }
    guard !ids.isEmpty else { return [] }
    let found = try transaction.find(ids: ids, types: types, in: organization)
    guard !found.contains(nil) else {
      var seen: Set<String> = []
      let unknown = ids.indices.filter { found[$0] == nil }.map { ids[$0] }.filter { seen.insert($0).inserted }
      let shown = unknown.prefix(20).map { "'\($0.prefix(100))'" }.joined(separator: ", ")
      let more = unknown.count > 20 ? " and \(unknown.count - 20) more" : ""
      throw SCIMError(.invalidValue, "'\(attribute)' names what does not exist: \(shown)\(more).", attribute: attribute)
    }
    var seen: Set<Int64> = []
    return found.compactMap { $0 }.filter { seen.insert($0.handle).inserted }
  }

  /// Links the owner to each target; gives the handles of those that are new.
  ///
  /// - Throws: `invalidValue` where a link would close a circle of groups.
  func link(
    owner: Int64, ownerType: String, to targets: [LinkTarget], in transaction: any StoreTransaction
  ) throws(SCIMError) -> [Int64] {
    if targets.contains(where: { $0.type == ownerType }) {
      // What is above the owner is the same for all of them.
      let above = try transaction.ancestors(of: owner, attribute: attribute, in: organization)
      if let target = targets.first(where: { $0.handle == owner || above.contains($0.handle) }) {
        throw SCIMError(
          .invalidValue, "'\(attribute)' would make a circle: '\(target.id)' contains this \(ownerType).",
          attribute: attribute)
      }
    }
    return try transaction.link(
      owner: owner, attribute: attribute, targets: targets.map(\.handle), in: organization)
  }

  /// Makes the owner's members exactly these; gives the handles of those that came and went.
  func replace(
    owner: Int64, ownerType: String, with targets: [LinkTarget], in transaction: any StoreTransaction
  ) throws(SCIMError) -> (added: [Int64], removed: [Int64]) {
    let present = try transaction.targets(of: owner, attribute: attribute, in: organization)
    let wanted = Set(targets.map(\.handle))
    let had = Set(present)
    let removed = try transaction.unlink(
      owner: owner, attribute: attribute, targets: present.filter { !wanted.contains($0) }, in: organization)
    let new = targets.filter { !had.contains($0.handle) }
    return (try link(owner: owner, ownerType: ownerType, to: new, in: transaction), removed)
  }
}
