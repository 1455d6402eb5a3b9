import SCIMCore

/// Matches the elements of a catalogue attribute (`roles`, `entitlements`) with the organisation's catalogue.
struct CatalogLinker {
  let organization: Organization
  let registry: SchemaRegistry

  /// What became of the elements of one attribute.
  struct Resolution {
    /// Elements that name a catalogue resource, each once, with what the link itself carries.
    var linked: [(target: LinkTarget, extra: JSONObject)] = []
    /// Elements that match nothing, kept as sent.
    var unlinked: [JSON] = []
  }

  /// Matches `value` to an id, else to a unique `displayName` or IETF `value`; within `type` where the catalogue tells
  /// its types apart by one and the element names it.
  ///
  /// - Parameters:
  ///   - present: elements that the resource has unlinked; a closed catalogue leaves it those.
  ///   - untouched: those of them that are not assigned again, and stay as they are without being looked up.
  /// - Throws: `invalidValue` naming what matches nothing, where the catalogue is closed.
  func resolve(
    _ elements: [JSONObject], attribute: String, schema: String, present: UnmatchedElements = .init(),
    untouched: UnmatchedElements = .init(),
    in transaction: any TenantTransaction
  ) throws(SCIMError) -> Resolution {
    let touched = elements.indices.filter { !untouched.contains(elements[$0]) }
    let found = try targets(of: touched.map { elements[$0] }, schema: schema, in: transaction)
    let targets = Dictionary(zip(touched, found)) { first, _ in first }
    var resolution = Resolution()
    var positions: [Int64: Int] = [:]
    var unlinked: [JSONObject] = []
    var places: [JSONObject: Int] = [:]
    for (index, element) in elements.enumerated() {
      if let target = targets[index] ?? nil {
        let extra = JSONObject(element.members.filter { !Self.derived.contains($0.key) })
        if let position = positions[target.handle] {
          // The same one named in two ways: what either says of it holds.
          for member in extra.members { resolution.linked[position].extra[member.key] = member.value }
        } else {
          positions[target.handle] = resolution.linked.count
          resolution.linked.append((target, extra))
        }
        continue
      }
      if organization.catalog == .closed, !present.contains(element) {
        throw try refusal(of: element, attribute: attribute, schema: schema, in: transaction)
      }
      let identity = Self.identity(of: element)
      if !identity.isEmpty, let place = places[identity] {
        for member in element.members where identity[member.key] == nil { unlinked[place][member.key] = member.value }
      } else {
        places[identity] = unlinked.count
        unlinked.append(element)
      }
    }
    resolution.unlinked = unlinked.map { .object($0) }
    return resolution
  }

  /// What each of the elements names, within a type where it names one and the catalogue tells its types apart; nil where
  /// it names nothing.
  func targets(
    of elements: [JSONObject], schema: String, in transaction: any TenantTransaction
  ) throws(SCIMError) -> [LinkTarget?] {
    let types = registry.catalogTypes(schema: schema)
    let isTyped = types.contains { $0.schema.attribute(named: "type") != nil }
    // All at once: a look-up of each by itself costs many times as much.
    let words = elements.compactMap { $0["value"]?.stringValue }.filter { !$0.isEmpty }
    let matches = try transaction.catalogMatches(words, types: types)
    var targets: [LinkTarget?] = []
    targets.reserveCapacity(elements.count)
    for element in elements {
      guard let value = element["value"]?.stringValue, !value.isEmpty else {
        targets.append(nil)
        continue
      }
      let candidates = types.candidates(named: element["type"]?.stringValue ?? "", isTyped: isTyped)
      var target = matches.match(value, types: candidates)
      // One that is the id of another type's may be the name of one of the type that is meant.
      if target == nil, matches.ids[value] != nil {
        target = try transaction.catalogMatches([value], types: candidates)
          .match(value, types: candidates)
      }
      targets.append(target)
    }
    return targets
  }

  /// What is said of an element that names nothing.
  private func refusal(
    of element: JSONObject, attribute: String, schema: String, in transaction: any TenantTransaction
  ) throws(SCIMError) -> SCIMError {
    let types = registry.catalogTypes(schema: schema)
    let isTyped = types.contains { $0.schema.attribute(named: "type") != nil }
    let type = element["type"]?.stringValue ?? ""
    let candidates = types.candidates(named: type, isTyped: isTyped)
    let word = element["value"]?.stringValue ?? ""
    let reason = CatalogRefusal.reason(
      name: Self.excerpt(word), type: type, types: types, candidates: candidates,
      count: try count(of: word, types: candidates, in: transaction))
    let what = word.isEmpty ? "an element without a value" : "'\(Self.excerpt(word))'"
    return SCIMError(
      .invalidValue,
      reason.map { "'\(attribute)': \($0)\($0.hasSuffix("?") ? "" : ".")" }
        ?? "'\(attribute)' names \(what), which is not in the catalogue of this organisation.",
      attribute: attribute)
  }

  /// How many entries of these types go by a word where more than one does; else 0.
  private func count(
    of word: String, types: [ResourceType], in transaction: any TenantTransaction
  ) throws(SCIMError) -> Int {
    let named = try transaction.catalogMatches([word], types: types).names[word] ?? []
    guard Set(named.map(\.handle)).count > 1 else { return 0 }
    let text = String(decoding: JSON.string(word).encoded(), as: UTF8.self)
    var parts: [SearchQuery.Part] = []
    for type in types where named.contains(where: { $0.type == type.name }) {
      let conditions = type.catalogNames.map { "\($0.path) eq \(text)" }.joined(separator: " or ")
      let filter = try ResolvedFilter(parsing: conditions, type: type, profile: .strict)
      parts.append(SearchQuery.Part(type: type, filter: filter))
    }
    let query = SearchQuery(parts: parts, window: .index(offset: 0, count: 0), links: .none)
    return max(2, try transaction.search(query).total)
  }

  /// What tells an element that matches nothing from others, in any letter case.
  private static func identity(of element: JSONObject) -> JSONObject {
    var identity = JSONObject()
    for name in ["value", "type"] {
      guard let text = element[name]?.stringValue else { continue }
      identity[name] = .string(Folding.fold(text))
    }
    return identity
  }

  /// Sub-attributes that a linked element has from the catalogue.
  private static let derived: Set<String> = ["value", "display", "type", "$ref"]

  private static func excerpt(_ value: String) -> String {
    value.count > 100 ? String(value.prefix(100)) + "…" : value
  }
}
