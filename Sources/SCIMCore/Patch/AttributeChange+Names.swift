/// Elements of a catalogue attribute that are removed by the name by which they were assigned: what is stored of them is
/// the id.
extension AttributeChange {
  /// The steps that a look-up in the catalogue is worth.
  static let stepsOfLookUp = 100

  /// The same change where the filter also chooses the elements that hold what its values name.
  func named() throws(SCIMError) -> AttributeChange {
    guard catalog != nil, let filter = target.filter else { return self }
    var change = self
    change.target.filter = try named(filter, type: Self.type(in: filter))
    return change
  }

  /// The elements of a value, and behind them what they name: an element may have a type that says nothing.
  func withIDs(_ given: [JSON]) throws(SCIMError) -> [JSON] {
    guard isCatalog, catalog != nil else { return given }
    var result = given
    for element in given {
      guard let value = element["value"]?.stringValue,
        let entry = try entry(of: value, type: element["type"]?.stringValue)
      else { continue }
      result.append(.object(JSONObject(entry.members.filter { $0.key == "value" || $0.key == "type" })))
    }
    return result
  }

  private func named(_ filter: ResolvedFilter, type: String?) throws(SCIMError) -> ResolvedFilter {
    switch filter {
    case .and(let parts):
      return .and(try named(parts, type: Self.type(in: filter) ?? type))
    case .or(let parts):
      return .or(try named(parts, type: type))
    case .not(let part):
      return .not(try named(part, type: type))
    case .compare(let reference, let comparison, .text(let text))
    where reference.sub?.name == "value" && (comparison == .eq || comparison == .ne):
      guard let id = try entry(of: text, type: type)?["value"]?.stringValue, id != text else { return filter }
      let other = ResolvedFilter.compare(reference, comparison, .text(reference.leaf.comparable(id)))
      return comparison == .eq ? .or([filter, other]) : .and([filter, other])
    default:
      return filter
    }
  }

  private func named(_ parts: [ResolvedFilter], type: String?) throws(SCIMError) -> [ResolvedFilter] {
    var result: [ResolvedFilter] = []
    for part in parts { result.append(try named(part, type: type)) }
    return result
  }

  /// What a value names, as a link to it is shown; nil where that is nothing.
  private func entry(of value: String, type: String?) throws(SCIMError) -> JSONObject? {
    guard let link, let catalog, !value.isEmpty else { return nil }
    try budget.take(Self.stepsOfLookUp)
    var element = JSONObject([JSONObject.Member(key: "value", value: .string(value))])
    if let type { element["type"] = .string(type) }
    return try catalog(link, [element]).first ?? nil
  }

  /// The type that all elements have which the filter chooses.
  private static func type(in filter: ResolvedFilter) -> String? {
    switch filter {
    case .compare(let reference, .eq, .text(let type)) where reference.sub?.name == "type": return type
    case .and(let parts): return parts.lazy.compactMap(type(in:)).first
    default: return nil
    }
  }
}
