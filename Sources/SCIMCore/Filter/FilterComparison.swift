/// One comparison whose attribute is known and whose operator and value are yet to be held against its type.
struct FilterComparison {
  /// The simple attribute or sub-attribute.
  let reference: AttributeReference
  let comparison: ComparisonOperator
  let literal: Filter.Located<Filter.Literal>
  /// Where the attribute's name stands.
  let position: Int
  let isInElement: Bool
  let profile: Profile

  /// The comparison with its value converted. Refuses operators and values that the type does not have.
  func resolved() throws(SCIMError) -> ResolvedFilter {
    if literal.value == .null {
      guard comparison == .eq || comparison == .ne else { throw refusedValue("null is allowed only with eq and ne") }
      return .compare(reference, comparison, .null)
    }
    switch reference.leaf.type {
    case .string, .reference: return try text()
    case .binary:
      try refuse([.gt, .ge, .lt, .le])
      return try text()
    case .boolean:
      try refuse([.gt, .ge, .lt, .le, .co, .sw, .ew])
      guard let value = literal.value.boolean(profile) else { throw refusedValue("expected true or false") }
      return isMark ? mark(equals: value) : .compare(reference, comparison, .boolean(value))
    case .dateTime:
      try refuse([.co, .sw, .ew])
      guard case .string(let text) = literal.value,
        SimpleValue.normalize(.string(text), as: .dateTime, isLenient: profile.isLenient) != nil,
        let instant = Timestamp(parsing: text)
      else {
        throw refusedValue("expected a date and time as RFC 3339 has it, with seconds and zone")
      }
      return .compare(reference, comparison, .instant(instant))
    case .integer:
      try refuse([.co, .sw, .ew])
      guard let number = literal.value.number(profile) else { throw refusedValue("expected a number") }
      return integer(number)
    case .decimal:
      try refuse([.co, .sw, .ew])
      guard let number = literal.value.number(profile) else { throw refusedValue("expected a number") }
      if let value = Int64(number) { return .compare(reference, comparison, .integer(value)) }
      guard let value = Double(number), value.isFinite else { throw refusedValue("the number is too large") }
      return .compare(reference, comparison, .decimal(value))
    case .complex:
      throw .invalidFilter(at: position, "'\(reference.path)' is complex: it can only be tested with pr")
    }
  }

  private func text() throws(SCIMError) -> ResolvedFilter {
    guard let text = literal.value.text(profile) else { throw refusedValue("expected a text in double quotes") }
    return .compare(reference, comparison, .text(reference.leaf.comparable(text)))
  }

  /// A number that is no Int64 is turned into the nearest one that gives the same answer.
  private func integer(_ number: String) -> ResolvedFilter {
    if let value = Int64(number) { return .compare(reference, comparison, .integer(value)) }
    let value = Double(number) ?? .nan
    if let whole = Int64(exactly: value) { return .compare(reference, comparison, .integer(whole)) }
    let below = Int64(exactly: value.rounded(.down))
    switch comparison {
    case .ne: return .constant(true)
    case .gt, .ge:
      if let below { return .compare(reference, .gt, .integer(below)) }
      return value > 0 ? .constant(false) : .compare(reference, .ge, .integer(.min))
    case .lt, .le:
      if let below { return .compare(reference, .le, .integer(below)) }
      return value > 0 ? .compare(reference, .le, .integer(.max)) : .constant(false)
    default: return .constant(false)
    }
  }

  private var isMark: Bool {
    guard reference.attribute.isMultiValued, let sub = reference.sub else { return false }
    return sub.marksInherited || ASCII.equalIgnoringCase(sub.name, "primary")
  }

  /// An element that lacks `primary` or `inherited` has it false, so what is asked is whether it is true.
  private func mark(equals value: Bool) -> ResolvedFilter {
    let wanted = value == (comparison == .eq)
    // In front of brackets `ne` speaks of all elements: none is marked, or none is not.
    if isInElement { return .compare(reference, wanted ? .eq : .ne, .boolean(true)) }
    if value { return .compare(reference, comparison, .boolean(true)) }
    let attribute = AttributeReference(home: reference.home, attribute: reference.attribute)
    let someIsNot = ResolvedFilter.element(attribute, .compare(reference, .ne, .boolean(true)))
    return comparison == .eq ? someIsNot : .not(someIsNot)
  }

  private func refuse(_ operators: [ComparisonOperator]) throws(SCIMError) {
    guard operators.contains(comparison) else { return }
    throw .invalidFilter(
      at: position, "\(comparison.rawValue) does not apply to '\(reference.path)', which is of type \(type)")
  }

  private func refusedValue(_ reason: String) -> SCIMError {
    .invalidFilter(at: literal.position, "\(reason) for '\(reference.path)', which is of type \(type)")
  }

  private var type: String { reference.leaf.type.rawValue }
}

extension AttributeDefinition {
  /// The form of a text in which values of this attribute are compared.
  public func comparable(_ text: String) -> String { isCaseExact ? Folding.normalize(text) : Folding.fold(text) }
}

extension Filter.Literal {
  /// The text that a text attribute is compared with; leniently, numbers and booleans as they are written.
  func text(_ profile: Profile) -> String? {
    switch self {
    case .string(let text): text
    case .number(let text): profile.isLenient ? text : nil
    case .boolean(let value): profile.isLenient ? (value ? "true" : "false") : nil
    case .null: nil
    }
  }

  /// The boolean; leniently, also its name as text in any letter case.
  func boolean(_ profile: Profile) -> Bool? {
    switch self {
    case .boolean(let value): return value
    case .string(let text) where profile.isLenient:
      if ASCII.equalIgnoringCase(text, "true") { return true }
      return ASCII.equalIgnoringCase(text, "false") ? false : nil
    default: return nil
    }
  }

  /// The text of the JSON number; leniently, also of one in quotes.
  func number(_ profile: Profile) -> String? {
    switch self {
    case .number(let text): return text
    case .string(let text) where profile.isLenient:
      if case .number(let number)? = Filter.Literal(json: Array(text.utf8)) { return number }
      return nil
    default: return nil
    }
  }
}
