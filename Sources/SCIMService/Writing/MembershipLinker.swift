import SCIMCore

/// Links a group to its members without loading the members it has.
struct MembershipLinker {
  let attribute: String
  /// The types that a member may have.
  let types: [ResourceType]
  /// True where an element means the resource of its id although that is of another type than it says.
  let isLenient: Bool

  /// The resources that the elements name, each once, in order: by `value`, and `type` where that is given.
  ///
  /// - Throws: `invalidValue` naming the unknown ids, and them alone.
  func targets(
    of elements: [JSONObject], in transaction: any TenantTransaction
  ) throws(SCIMError) -> [LinkTarget] {
    var ids: [String] = []
    ids.reserveCapacity(elements.count)
    for element in elements {
      guard let id = element["value"]?.stringValue, !id.isEmpty else {
        throw SCIMError(.invalidValue, "Each element of '\(attribute)' must have a 'value'.", attribute: attribute)
      }
      ids.append(id)
    }
    guard !ids.isEmpty else { return [] }
    let found = try find(elements, in: transaction)
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

  /// For each element the resource that it names, by its id and its type; nil for one that names none. Each has an id.
  func find(
    _ elements: [JSONObject], in transaction: any TenantTransaction
  ) throws(SCIMError) -> [LinkTarget?] {
    var found = [LinkTarget?](repeating: nil, count: elements.count)
    func find(_ places: [Int], of candidates: [ResourceType]) throws(SCIMError) {
      guard !candidates.isEmpty else { return }
      let ids = places.map { elements[$0]["value"]?.stringValue ?? "" }
      for (place, target) in zip(places, try transaction.find(ids: ids, types: candidates)) {
        found[place] = target
      }
    }
    // Mostly all have one type, or none.
    let byType = Dictionary(grouping: elements.indices) { ASCII.lowercase(elements[$0]["type"]?.stringValue ?? "") }
    for (type, places) in byType {
      try find(places, of: type.isEmpty ? types : types.candidates(named: type, isTyped: !isLenient))
      // An id is unique: what is meant is clear, and taking a member away must not fail by its label.
      let left = isLenient && !type.isEmpty ? places.filter { found[$0] == nil } : []
      if !left.isEmpty { try find(left, of: types) }
    }
    return found
  }

  /// Refuses elements that name a resource which is being created.
  func check(_ elements: [JSONObject], ofNew id: String?, _ type: String) throws(SCIMError) {
    guard let id, elements.contains(where: { $0["value"]?.stringValue == id }) else { return }
    throw itself(id, type)
  }

  private func itself(_ id: String, _ type: String) -> SCIMError {
    .circle("'\(attribute)' would create a circle: '\(id)' is this \(type) itself.", attribute: attribute)
  }

  /// Links the owner to each target; gives the handles of those that are new.
  ///
  /// - Throws: `invalidValue` where a link would close a circle of groups.
  func link(
    owner: Int64, ownerType: String, to targets: [LinkTarget], in transaction: any TenantTransaction
  ) throws(SCIMError) -> [Int64] {
    if targets.contains(where: { $0.type == ownerType }) {
      // What is above the owner is the same for all of them.
      let above = try transaction.ancestors(of: owner, attribute: attribute)
      if let target = targets.first(where: { $0.handle == owner || above.contains($0.handle) }) {
        throw target.handle == owner
          ? itself(target.id, ownerType)
          : .circle(
            "'\(attribute)' would create a circle: '\(target.id)' contains this \(ownerType).", attribute: attribute)
      }
    }
    return try transaction.link(
      owner: owner, attribute: attribute, targets: targets.map(\.handle))
  }

  /// Makes the owner's members exactly these; gives the handles of those that came and went.
  func replace(
    owner: Int64, ownerType: String, with targets: [LinkTarget], in transaction: any TenantTransaction
  ) throws(SCIMError) -> (added: [Int64], removed: [Int64]) {
    let present = try transaction.targets(of: owner, attribute: attribute)
    let wanted = Set(targets.map(\.handle))
    let had = Set(present)
    let removed = try transaction.unlink(
      owner: owner, attribute: attribute, targets: present.filter { !wanted.contains($0) })
    let new = targets.filter { !had.contains($0.handle) }
    return (try link(owner: owner, ownerType: ownerType, to: new, in: transaction), removed)
  }
}
