/// Operations on a `members` link. Its elements are not at hand, so that one change never loads a list of tens of
/// thousands: each operation becomes changes for the store to make in order.
extension PatchSession {
  mutating func applyMembership(_ kind: PatchOperation.Kind, to target: PatchTarget, value: JSON?) throws(SCIMError) {
    if let filter = target.filter {
      return try applyMembership(kind, to: target, chosenBy: filter, value: value)
    }
    guard target.sub == nil else { throw Self.immutable(target) }
    let attribute = target.attribute.name
    switch kind {
    case .add:
      note(.add(try members(value, of: target, allowsOne: true)), for: attribute)
    case .replace:
      let members = try members(value, of: target)
      note(members.isEmpty ? .removeAll : .replaceAll(members), for: attribute)
    case .remove:
      guard let value, value != .null else { return note(.removeAll, for: attribute) }
      // Taken by the letter, a value beside remove means nothing and the group is emptied for one leaver.
      guard profile.isLenient else {
        throw SCIMError(.invalidValue, "'remove' takes no value; name the elements by a filter in the path.")
      }
      note(.remove(try members(value, of: target, allowsOne: true)), for: attribute)
    }
  }

  private mutating func applyMembership(
    _ kind: PatchOperation.Kind, to target: PatchTarget, chosenBy filter: ResolvedFilter, value: JSON?
  ) throws(SCIMError) {
    let attribute = target.attribute.name
    let ids = Self.ids(chosenBy: filter)
    let named = ids?.map { JSONObject([JSONObject.Member(key: "value", value: .string($0))]) }
    let removal = named.map { MembershipChange.remove($0) } ?? .removeMatching(filter)
    let requirement = named.map { MembershipChange.require($0) } ?? .requireMatching(filter)
    if kind == .remove {
      guard target.sub == nil else { throw Self.immutable(target) }
      return note(removal, for: attribute)
    }
    // First of all there must be such a member: a reference is never made up for a filter.
    note(requirement, for: attribute)
    if let sub = target.sub {
      // A value that each of them has already is tolerated.
      guard let text = value?.stringValue else { throw Self.immutable(target) }
      let others = ResolvedFilter.compare(target.reference, .ne, .text(sub.comparable(text)))
      return note(.refuseMatching(.and([filter, others]), Self.immutable(target)), for: attribute)
    }
    let members = try members(value, of: target, allowsOne: true)
    guard members.count <= 1 else {
      throw SCIMError(
        .invalidValue, "The elements chosen in '\(target.name)' can be replaced by one element only.",
        attribute: target.name)
    }
    if let ids, ids.count == 1, members.first?["value"]?.stringValue == ids.first { return }
    guard kind == .replace else {
      if !members.isEmpty { note(.refuse(Self.immutable(target)), for: attribute) }
      return
    }
    note(removal, for: attribute)
    note(.add(members), for: attribute)
  }

  /// The elements of a value: normalised, each with an id, each id once for each type that stands with it.
  ///
  /// - Parameter allowsOne: true where one element may stand without a list, whatever the profile.
  private func members(
    _ value: JSON?, of target: PatchTarget, allowsOne: Bool = false
  ) throws(SCIMError) -> [JSONObject] {
    let attribute = target.attribute
    let refusal = SCIMError(
      .invalidValue, "Each element of '\(attribute.name)' must have a 'value'.", attribute: attribute.name)
    guard var value else { return [] }
    if allowsOne, !value.isUnassigned, value.arrayValue == nil { value = .array([value]) }
    try budget.take((value.arrayValue?.count ?? 1) * WriteCost.sentMember)
    // Looked at before normalisation, which leaves out what is empty: a list of nobody is not an empty list.
    for element in value.arrayValue ?? [value] {
      let isNobody =
        element.objectValue.map { $0.value(ignoringCase: "value") ?? .null == .null } ?? (element == "")
      if isNobody { throw refusal }
    }
    let normalized = try ValueNormalizer.normalize(
      value, as: attribute, path: attribute.name, profile: profile, unknown: unknown)
    var seen: Set<[String]> = []
    var members: [JSONObject] = []
    for case .object(let element) in normalized?.arrayValue ?? [] {
      guard let id = element["value"]?.stringValue, !id.isEmpty else { throw refusal }
      let type = element["type"]?.stringValue ?? ""
      if seen.insert([id, ASCII.lowercase(type)]).inserted { members.append(element) }
    }
    return members
  }

  private mutating func note(_ change: MembershipChange, for attribute: String) {
    switch change {
    case .add(let members) where members.isEmpty: return
    case .remove(let members) where members.isEmpty: return
    default: membership[attribute, default: []].append(change)
    }
  }

  /// The ids that a filter names, where it is `value eq "…"` or several of these joined by `or`; else nil.
  private static func ids(chosenBy filter: ResolvedFilter) -> [String]? {
    switch filter {
    case .compare(let reference, .eq, .text(let id))
    where reference.leaf.isCaseExact && (reference.sub?.name ?? "value") == "value":
      return [id]
    case .or(let parts):
      var ids: [String] = []
      for part in parts {
        guard let more = Self.ids(chosenBy: part) else { return nil }
        ids += more
      }
      return ids
    case .and(let parts) where parts.count == 1:
      return Self.ids(chosenBy: parts[0])
    case .constant(false):
      return []
    default:
      return nil
    }
  }

  private static func immutable(_ target: PatchTarget) -> SCIMError {
    SCIMError(
      .mutability, "'\(target.name)' cannot be changed; add and remove whole elements instead.", attribute: target.name)
  }
}
