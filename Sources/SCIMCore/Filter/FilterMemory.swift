/// The shapes of the filters that were asked last, resolved: clients ask the same with other values, before each write.
/// For one thread.
///
/// What it gives is what parsing and resolving gives. A filter is remembered where each of its comparisons is that of an
/// attribute of text with a text in double quotes: then another one of the same shape has the same conditions in the
/// same order, whatever the texts are.
public final class FilterMemory {
  private struct Known {
    let frame: [UInt8]
    let type: ResourceType
    let profile: Profile
    let filter: ResolvedFilter
  }

  private var known: [Known] = []
  /// Where the next one goes once there are as many as there may be.
  private var next = 0
  private static let maximum = 16
  /// Longer filters are seldom asked twice.
  private static let maximumBytes = 512

  private let alias: AttributeName.Alias?

  /// - Parameter alias: reads other spellings of the names of attributes.
  public init(alias: AttributeName.Alias? = nil) {
    self.alias = alias
  }

  /// How many filters are remembered.
  var count: Int { known.count }

  /// The filter of that text, resolved against one type.
  ///
  /// - Throws: what `FilterParser` and `FilterResolver` do.
  public func resolve(
    _ text: String, in type: ResourceType, profile: Profile
  ) throws(SCIMError) -> ResolvedFilter {
    guard text.utf8.count <= Self.maximumBytes, let shape = FilterShape(text) else {
      return try resolved(FilterParser.parse(text, profile: profile), type, profile)
    }
    for index in known.indices {
      guard known[index].type === type, known[index].profile == profile, known[index].frame == shape.frame else {
        continue
      }
      var texts = shape.texts[...]
      return known[index].filter.comparing(with: &texts)
    }
    let filter = try FilterParser.parse(text, profile: profile)
    let resolved = try resolved(filter, type, profile)
    // As many quoted texts as comparisons: none has another kind of value. As many comparisons of texts after resolving:
    // none was dropped or means something else than text.
    let count = shape.texts.count
    if filter.comparisons == count, resolved.textComparisons == count {
      add(Known(frame: shape.frame, type: type, profile: profile, filter: resolved))
    }
    return resolved
  }

  private func resolved(
    _ filter: Filter, _ type: ResourceType, _ profile: Profile
  ) throws(SCIMError) -> ResolvedFilter {
    let resolved = try FilterResolver.resolve(filter, in: [type], profile: profile, alias: alias)
    return resolved.first?.filter ?? .constant(false)
  }

  private func add(_ entry: Known) {
    guard known.count >= Self.maximum else { return known.append(entry) }
    known[next] = entry
    next = (next + 1) % Self.maximum
  }
}

extension Filter {
  /// How many comparisons with a value it has.
  fileprivate var comparisons: Int {
    switch self {
    case .compare: 1
    case .present: 0
    case .not(let part), .element(_, let part): part.comparisons
    case .and(let parts), .or(let parts): parts.reduce(0) { $0 + $1.comparisons }
    }
  }
}

extension ResolvedFilter {
  /// How many of its comparisons are with a text.
  fileprivate var textComparisons: Int {
    switch self {
    case .compare(_, _, .text): 1
    case .compare, .present, .constant: 0
    case .not(let part), .element(_, let part): part.textComparisons
    case .and(let parts), .or(let parts): parts.reduce(0) { $0 + $1.textComparisons }
    }
  }

  /// The same conditions with these texts, one for each comparison in their order, which are taken from the list.
  fileprivate func comparing(with texts: inout ArraySlice<String>) -> ResolvedFilter {
    switch self {
    case .compare(let reference, let comparison, _):
      return .compare(reference, comparison, .text(reference.leaf.comparable(texts.popFirst() ?? "")))
    case .present, .constant: return self
    case .not(let part): return .not(part.comparing(with: &texts))
    case .element(let reference, let part): return .element(reference, part.comparing(with: &texts))
    case .and(let parts): return .and(Self.comparing(parts, with: &texts))
    case .or(let parts): return .or(Self.comparing(parts, with: &texts))
    }
  }

  private static func comparing(
    _ parts: [ResolvedFilter], with texts: inout ArraySlice<String>
  ) -> [ResolvedFilter] {
    var result: [ResolvedFilter] = []
    result.reserveCapacity(parts.count)
    for part in parts { result.append(part.comparing(with: &texts)) }
    return result
  }
}
