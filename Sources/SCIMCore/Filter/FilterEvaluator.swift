/// What a resolved filter means, told on JSON documents; a store's queries must give the same answers.
///
/// - Texts are compared by the bytes of their UTF-8, which is the order of code points, after case folding, or NFC
///   alone where the attribute is `caseExact`; times as instants; numbers by value, integers and doubles mixed.
/// - On a multi-valued attribute a comparison holds where it does for one of the values; `ne` is the complement of `eq`.
/// - null and the empty array are no value. `eq null` holds where there is no value at all.
/// - `pr` holds where a value is not empty: empty are the empty text, and arrays and objects of nothing but empty values.
/// - A value that is not of the attribute's type matches nothing.
public enum FilterEvaluator {
  /// True where the resource matches: core and common attributes on top, extensions under their URNs, names spelt as
  /// their schemas do.
  public static func matches(_ filter: ResolvedFilter, resource: JSONObject) -> Bool {
    matches(filter, .resource(resource))
  }

  /// True where one element of an attribute matches the filter that stood in the brackets behind it.
  public static func matches(_ filter: ResolvedFilter, element: JSON) -> Bool {
    matches(filter, .element(element))
  }

  private enum Subject {
    case resource(JSONObject)
    case element(JSON)

    /// The values that a reference names here.
    func values(of reference: AttributeReference) -> [JSON] {
      let attribute: [JSON]
      switch self {
      case .element(let element): attribute = [element]
      case .resource(let resource):
        var container: JSONObject? = resource
        if case .extension(let urn) = reference.home { container = resource[urn]?.objectValue }
        attribute = Self.elements(container?[reference.attribute.name])
      }
      guard let sub = reference.sub else { return attribute }
      return attribute.flatMap { Self.elements($0[sub.name]) }
    }

    private static func elements(_ value: JSON?) -> [JSON] {
      switch value {
      case nil, .null: []
      case .array(let elements): elements.filter { if case .null = $0 { false } else { true } }
      case let value?: [value]
      }
    }
  }

  private static func matches(_ filter: ResolvedFilter, _ subject: Subject) -> Bool {
    switch filter {
    case .constant(let value): value
    case .and(let parts): parts.allSatisfy { matches($0, subject) }
    case .or(let parts): parts.contains { matches($0, subject) }
    case .not(let part): !matches(part, subject)
    case .present(let reference): subject.values(of: reference).contains { !isEmpty($0) }
    case .element(let reference, let inner):
      subject.values(of: reference).contains { matches(inner, .element($0)) }
    case .compare(let reference, .ne, let operand):
      !matches(.compare(reference, .eq, operand), subject)
    case .compare(let reference, _, .null):
      subject.values(of: reference).isEmpty
    case .compare(let reference, let comparison, let operand):
      subject.values(of: reference).contains {
        holds($0, comparison, operand, isCaseExact: reference.leaf.isCaseExact)
      }
    }
  }

  private static func isEmpty(_ value: JSON) -> Bool {
    switch value {
    case .null: true
    case .bool, .integer, .double: false
    case .string(let text): text.isEmpty
    case .array(let elements): elements.allSatisfy(isEmpty)
    case .object(let object): object.members.allSatisfy { isEmpty($0.value) }
    }
  }

  private static func holds(
    _ value: JSON, _ comparison: ComparisonOperator, _ operand: FilterOperand, isCaseExact: Bool
  ) -> Bool {
    switch (value, operand) {
    case (.string(let text), .text(let wanted)):
      var text = isCaseExact ? Folding.normalize(text) : Folding.fold(text)
      var wanted = wanted
      return text.withUTF8 { text in wanted.withUTF8 { wanted in holds(text, comparison, wanted) } }
    case (.bool(let value), .boolean(let wanted)): return comparison == .eq && value == wanted
    case (.string(let text), .instant(let wanted)):
      return Timestamp(parsing: text).map { comparison.holds(Order($0, wanted)) } ?? false
    case (.integer(let value), .integer(let wanted)): return comparison.holds(Order(value, wanted))
    case (.double(let value), .decimal(let wanted)): return comparison.holds(Order(value, wanted))
    case (.integer(let value), .decimal(let wanted)): return comparison.holds(Order(value, to: wanted))
    case (.double(let value), .integer(let wanted)): return comparison.holds(Order(wanted, to: value).reversed)
    default: return false
    }
  }

  private typealias Bytes = UnsafeBufferPointer<UInt8>

  private static func holds(_ text: Bytes, _ comparison: ComparisonOperator, _ wanted: Bytes) -> Bool {
    switch comparison {
    case .co: contains(text, wanted)
    case .sw: text.starts(with: wanted)
    case .ew: text.count >= wanted.count && text.suffix(wanted.count).elementsEqual(wanted)
    case .eq, .ne: comparison.holds(text.elementsEqual(wanted) ? .equal : .less)
    case .gt, .ge, .lt, .le:
      comparison.holds(
        text.elementsEqual(wanted) ? .equal : text.lexicographicallyPrecedes(wanted) ? .less : .greater)
    }
  }

  /// Up to this many comparisons of bytes are fewer than what preparing the search costs.
  private static let fewComparisons = 4096

  private static func contains(_ text: Bytes, _ wanted: Bytes) -> Bool {
    guard let first = wanted.first else { return true }
    guard wanted.count <= text.count else { return false }
    guard wanted.count * text.count <= fewComparisons else { return containsLong(text, wanted) }
    for start in 0...(text.count - wanted.count) where text[start] == first {
      var length = 1
      while length < wanted.count, text[start + length] == wanted[length] { length += 1 }
      if length == wanted.count { return true }
    }
    return false
  }

  /// Knuth, Morris and Pratt's search: linear whatever the texts are.
  private static func containsLong(_ text: Bytes, _ wanted: Bytes) -> Bool {
    // For each prefix of `wanted`, the length of its longest proper prefix that is a suffix of it too.
    var borders = [0]
    var length = 0
    for byte in wanted.dropFirst() {
      while length > 0, byte != wanted[length] { length = borders[length - 1] }
      if byte == wanted[length] { length += 1 }
      borders.append(length)
    }
    length = 0
    for byte in text {
      while length > 0, byte != wanted[length] { length = borders[length - 1] }
      if byte == wanted[length] { length += 1 }
      if length == wanted.count { return true }
    }
    return false
  }
}

/// How one value stands to another.
private enum Order {
  case less, equal, greater

  init<Value: Comparable>(_ left: Value, _ right: Value) {
    self = left < right ? .less : left == right ? .equal : .greater
  }

  /// Compares exactly, where converting the integer would round it.
  init(_ left: Int64, to right: Double) {
    guard let below = Int64(exactly: right.rounded(.down)) else {
      self = right > 0 ? .less : .greater
      return
    }
    let order = Order(left, below)
    self = order == .equal && right > right.rounded(.down) ? .less : order
  }

  var reversed: Order {
    switch self {
    case .less: .greater
    case .equal: .equal
    case .greater: .less
    }
  }
}

extension ComparisonOperator {
  /// True where a value that stands so to the wanted one fulfils the operator; never for `co`, `sw` and `ew`.
  fileprivate func holds(_ order: Order) -> Bool {
    switch self {
    case .eq: order == .equal
    case .ne: order != .equal
    case .gt: order == .greater
    case .ge: order != .less
    case .lt: order == .less
    case .le: order != .greater
    case .co, .sw, .ew: false
    }
  }
}
