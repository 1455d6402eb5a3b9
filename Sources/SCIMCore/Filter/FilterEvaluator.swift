/// What a resolved filter means, told on JSON documents; a store's queries must give the same answers.
///
/// - Texts are compared by the bytes of their UTF-8, which is the order of code points, after case folding, or NFC
///   alone where the attribute is `caseExact`; times as instants; numbers by value, integers and doubles mixed.
/// - On a multi-valued attribute a comparison holds where it does for one of the values; `ne` is the complement of `eq`.
/// - null and the empty array are no value. `eq null` holds where there is no value at all.
/// - `pr` holds where a value is not empty: empty are the empty text, and arrays and objects of nothing but empty values.
/// - A value that is not of the attribute's type matches nothing.
///
/// A value is folded once for all conditions on it. What that and each comparison costs is taken from a budget, so that
/// the thread of the budget is held no longer than it allows, whatever the document and the filter are.
public struct FilterEvaluator: Sendable {
  private let root: Scope

  /// Prepares a filter, to be asked of many documents or elements.
  public init(_ filter: ResolvedFilter) {
    root = Scope(filter)
  }

  /// True where the resource matches: core and common attributes on top, extensions under their URNs, names spelt as
  /// their schemas do.
  ///
  /// - Throws: what the budget does where it ends.
  public func matches(resource: JSONObject, budget: WorkBudget) throws(SCIMError) -> Bool {
    try root.matches(.resource(resource), budget)
  }

  /// True where one element of an attribute matches the filter that stood in the brackets behind it.
  ///
  /// - Throws: what the budget does where it ends.
  public func matches(element: JSON, budget: WorkBudget) throws(SCIMError) -> Bool {
    try root.matches(.element(element), budget)
  }

  /// As `matches(resource:budget:)`, for documents that are known to be small.
  public static func matches(_ filter: ResolvedFilter, resource: JSONObject) -> Bool {
    (try? FilterEvaluator(filter).matches(resource: resource, budget: .unlimited)) ?? false
  }

  /// As `matches(element:budget:)`, for elements that are known to be small.
  public static func matches(_ filter: ResolvedFilter, element: JSON) -> Bool {
    (try? FilterEvaluator(filter).matches(element: element, budget: .unlimited)) ?? false
  }
}

/// What conditions are asked of: a resource, or one element of an attribute.
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

/// A filter on one kind of subject: its conditions name the values that they look at by number, so that conditions on
/// the same attribute share them.
private struct Scope: Sendable {
  private indirect enum Node: Sendable {
    case constant(Bool)
    case and([Node])
    case or([Node])
    case not(Node)
    case present(Int)
    case isUnassigned(Int)
    case compare(Int, ComparisonOperator, FilterOperand)
    case element(AttributeReference, Scope)
  }

  private var references: [AttributeReference] = []
  private var root = Node.constant(true)

  init(_ filter: ResolvedFilter) {
    var numbers: [String: Int] = [:]
    root = add(filter, &numbers)
  }

  private mutating func add(_ filter: ResolvedFilter, _ numbers: inout [String: Int]) -> Node {
    switch filter {
    case .constant(let value): .constant(value)
    case .and(let parts): .and(add(parts, &numbers))
    case .or(let parts): .or(add(parts, &numbers))
    case .not(let part): .not(add(part, &numbers))
    case .present(let reference): .present(number(of: reference, &numbers))
    case .element(let reference, let inner): .element(reference, Scope(inner))
    case .compare(let reference, .ne, let operand): .not(add(.compare(reference, .eq, operand), &numbers))
    case .compare(let reference, _, .null): .isUnassigned(number(of: reference, &numbers))
    case .compare(let reference, let comparison, let operand):
      .compare(number(of: reference, &numbers), comparison, operand)
    }
  }

  private mutating func add(_ parts: [ResolvedFilter], _ numbers: inout [String: Int]) -> [Node] {
    var nodes: [Node] = []
    nodes.reserveCapacity(parts.count)
    for part in parts { nodes.append(add(part, &numbers)) }
    return nodes
  }

  private mutating func number(of reference: AttributeReference, _ numbers: inout [String: Int]) -> Int {
    let path = reference.path
    if let known = numbers[path] { return known }
    numbers[path] = references.count
    references.append(reference)
    return references.count - 1
  }

  func matches(_ subject: Subject, _ budget: WorkBudget) throws(SCIMError) -> Bool {
    var values = [[FilterValue]?](repeating: nil, count: references.count)
    return try matches(root, subject, &values, budget)
  }

  private func matches(
    _ node: Node, _ subject: Subject, _ values: inout [[FilterValue]?], _ budget: WorkBudget
  ) throws(SCIMError) -> Bool {
    switch node {
    case .constant(let value): return value
    case .and(let parts):
      for part in parts where try !matches(part, subject, &values, budget) { return false }
      return true
    case .or(let parts):
      for part in parts where try matches(part, subject, &values, budget) { return true }
      return false
    case .not(let part): return try !matches(part, subject, &values, budget)
    case .present(let number):
      return try load(number, subject, &values, budget).contains { !$0.isEmpty }
    case .isUnassigned(let number): return try load(number, subject, &values, budget).isEmpty
    case .compare(let number, let comparison, let operand):
      for value in try load(number, subject, &values, budget) {
        try budget.take(value.steps(comparison))
        if value.holds(comparison, operand) { return true }
      }
      return false
    case .element(let reference, let scope):
      for element in subject.values(of: reference) {
        try budget.take(4)
        if try scope.matches(.element(element), budget) { return true }
      }
      return false
    }
  }

  /// The values with that number, made ready the first time.
  private func load(
    _ number: Int, _ subject: Subject, _ values: inout [[FilterValue]?], _ budget: WorkBudget
  ) throws(SCIMError) -> [FilterValue] {
    if let known = values[number] { return known }
    let leaf = references[number].leaf
    let found = subject.values(of: references[number])
    var ready: [FilterValue] = []
    ready.reserveCapacity(found.count)
    for value in found {
      try budget.take(2 + (value.stringValue?.utf8.count ?? 0) / 8)
      ready.append(FilterValue(value, of: leaf))
    }
    values[number] = ready
    return ready
  }
}

/// A value in the form in which its attribute is compared.
private enum FilterValue {
  /// Folded, or in NFC alone.
  case text(String)
  case boolean(Bool)
  case integer(Int64)
  case double(Double)
  case instant(Timestamp)
  /// What no operand is of the type of.
  case other(isEmpty: Bool)

  init(_ value: JSON, of leaf: AttributeDefinition) {
    switch value {
    case .string(let text) where leaf.type == .dateTime:
      self = Timestamp(parsing: text).map { .instant($0) } ?? .other(isEmpty: text.isEmpty)
    case .string(let text): self = .text(leaf.comparable(text))
    case .bool(let value): self = .boolean(value)
    case .integer(let value): self = .integer(value)
    case .double(let value): self = .double(value)
    case .null, .array, .object: self = .other(isEmpty: Self.isEmpty(value))
    }
  }

  var isEmpty: Bool {
    switch self {
    case .text(let text): text.isEmpty
    case .boolean, .integer, .double, .instant: false
    case .other(let isEmpty): isEmpty
    }
  }

  /// What one comparison costs.
  func steps(_ comparison: ComparisonOperator) -> Int {
    guard case .text(let text) = self else { return 1 }
    return 1 + text.utf8.count / (comparison == .co ? 16 : 256)
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

  /// Whether the value fulfils any operator but `ne`, with an operand that is not null.
  func holds(_ comparison: ComparisonOperator, _ operand: FilterOperand) -> Bool {
    switch (self, operand) {
    case (.text(var text), .text(var wanted)):
      return text.withUTF8 { text in wanted.withUTF8 { wanted in Self.holds(text, comparison, wanted) } }
    case (.boolean(let value), .boolean(let wanted)): return comparison == .eq && value == wanted
    case (.instant(let value), .instant(let wanted)): return comparison.holds(Order(value, wanted))
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
