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
    var seen: Set<String> = []
    for element in elements {
      guard let id = element["value"]?.stringValue, !id.isEmpty else {
        throw SCIMError(.invalidValue, "An element of '\(attribute)' has no 'value'.", attribute: attribute)
      }
      if seen.insert(id).inserted { ids.append(id) }
    }
    guard !ids.isEmpty else { return [] }
    let found = try transaction.find(ids: ids, types: types, in: organization)
    let unknown = ids.filter { found[$0] == nil }
    guard unknown.isEmpty else {
      let shown = unknown.prefix(20).map { "'\($0.prefix(100))'" }.joined(separator: ", ")
      let more = unknown.count > 20 ? " and \(unknown.count - 20) more" : ""
      throw SCIMError(.invalidValue, "'\(attribute)' names what does not exist: \(shown)\(more).", attribute: attribute)
    }
    return ids.compactMap { found[$0] }
  }

  /// Links the owner to each target; gives the handles of those that are new.
  ///
  /// - Throws: `invalidValue` where a link would close a circle of groups.
  func link(
    owner: Int64, ownerType: String, to targets: [LinkTarget], in transaction: any StoreTransaction
  ) throws(SCIMError) -> [Int64] {
    var new: [Int64] = []
    for target in targets {
      if target.type == ownerType,
        try transaction.reaches(from: target.handle, to: owner, attribute: attribute, in: organization)
      {
        throw SCIMError(
          .invalidValue, "'\(attribute)' would make a circle: '\(target.id)' contains this \(ownerType).",
          attribute: attribute)
      }
      if try transaction.link(
        owner: owner, attribute: attribute, target: target.handle, extra: JSONObject(), in: organization)
      {
        new.append(target.handle)
      }
    }
    return new
  }

  /// Makes the owner's members exactly these; gives the handles of those that came and went.
  func replace(
    owner: Int64, ownerType: String, present: [LinkElement], with targets: [LinkTarget],
    in transaction: any StoreTransaction
  ) throws(SCIMError) -> (added: [Int64], removed: [Int64]) {
    var removed: [Int64] = []
    let wanted = Set(targets.map(\.handle))
    let had = Set(present.map(\.handle))
    for element in present where !wanted.contains(element.handle) {
      let count = try transaction.unlink(
        owner: owner, attribute: attribute, target: element.handle, in: organization)
      if count > 0 { removed.append(element.handle) }
    }
    let new = targets.filter { !had.contains($0.handle) }
    let added = try link(owner: owner, ownerType: ownerType, to: new, in: transaction)
    return (added, removed)
  }
}
