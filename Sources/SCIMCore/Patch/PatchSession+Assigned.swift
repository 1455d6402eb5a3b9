/// What operations assign of the catalogue is known by its id from then on, so that the operations behind them see it
/// whichever way it was named.
extension PatchSession {
  /// The elements of a catalogue attribute behind an operation, with those that it assigned as the catalogue has them.
  /// One that was there and named nothing is among these where it is assigned again.
  func linked(
    _ elements: JSON?, from present: JSON?, by kind: PatchOperation.Kind, at target: PatchTarget, value: JSON?
  ) throws(SCIMError) -> JSON? {
    guard kind != .remove, let catalog, let link = type.link(for: target.reference), case .catalog = link.kind,
      let list = elements?.arrayValue, !list.isEmpty
    else { return elements }
    let assigned = assigned(from: present, at: target, value: value)
    let positions = list.indices.filter { !assigned.isEmpty && assigned.contains(list[$0]) }
    let named = positions.compactMap { position in list[position].objectValue.map { (position, $0) } }
    guard !named.isEmpty else { return elements }
    try budget.take(named.count * AttributeChange.stepsOfLookUp)
    let entries = try catalog(link, named.map(\.1))
    var found: [Int: JSONObject] = [:]
    for ((position, _), entry) in zip(named, entries) { found[position] = entry }
    return found.isEmpty ? elements : .array(Self.joined(list, found))
  }

  /// The elements with entries of the catalogue in the place of some, each entry once: what several elements that name
  /// the same one say besides holds of it.
  private static func joined(_ list: [JSON], _ entries: [Int: JSONObject]) -> [JSON] {
    var result: [JSONObject] = []
    var places: [Entry: (place: Int, isAssigned: Bool)] = [:]
    for (index, element) in list.enumerated() {
      var object = element.objectValue ?? JSONObject()
      if let entry = entries[index] {
        let further = object.members.filter { !LinkRendering.isDerived($0.key) }
        object = JSONObject(entry.members + further)
      }
      let key = Entry(value: object["value"], type: object["type"])
      let isAssigned = entries[index] != nil
      if let known = places[key], known.isAssigned || isAssigned {
        for member in object.members where !LinkRendering.isDerived(member.key) {
          result[known.place][member.key] = member.value
        }
        continue
      }
      places[key] = (result.count, isAssigned)
      result.append(object)
    }
    return result.map { .object($0) }
  }

  private struct Entry: Hashable {
    var value: JSON?
    var type: JSON?
  }

  /// What one operation assigns.
  private func assigned(from present: JSON?, at target: PatchTarget, value: JSON?) -> AssignedElements {
    guard let value else { return AssignedElements([]) }
    switch target.sub?.name {
    case nil:
      let list = value.arrayValue == nil ? JSON.array([value]) : value
      // What cannot be read is refused with the operation itself.
      let elements = try? ValueNormalizer.normalize(list, as: target.attribute, path: target.name, profile: profile)
      return AssignedElements(elements?.arrayValue ?? [])
    case "value": return AssignedElements([["value": value]])
    // Another type may make it the name of something.
    case "type": return AssignedElements(present?.arrayValue ?? [], typed: value.stringValue)
    default: return AssignedElements([])
    }
  }
}

/// The elements that an operation assigns, told by `value` and `type` in any letter case.
private struct AssignedElements {
  /// The types by the values; an element without a type has an empty one.
  private var types: [String: Set<String>] = [:]

  var isEmpty: Bool { types.isEmpty }

  init(_ elements: [JSON], typed type: String? = nil) {
    for element in elements {
      guard let value = element["value"]?.stringValue, !value.isEmpty else { continue }
      types[Folding.fold(value), default: []].insert(Folding.fold(type ?? element["type"]?.stringValue ?? ""))
    }
  }

  func contains(_ element: JSON) -> Bool {
    guard let value = element["value"]?.stringValue, let known = types[Folding.fold(value)] else { return false }
    let type = Folding.fold(element["type"]?.stringValue ?? "")
    return type.isEmpty || known.contains("") || known.contains(type)
  }
}
