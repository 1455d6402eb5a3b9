import SCIMCore
import TestSupport

/// Random filters, repeatable from a seed: of any spelling for the parser, or legal for a resource type with values from
/// a pool, so that a good part of them matches documents made of the same pool.
struct FilterGenerator: RandomNumberGenerator {
  /// The values that comparisons use.
  struct Pool {
    var texts = ["", "a", "A", "ab", "É", "e\u{301}", "ß", "x@y.example", "10", "%", "_", "\"q\"", "😀"]
    var numbers = ["-1", "0", "1", "9", "10", "1.5", "9.5", "-2.25"]
    var times = [
      "2020-01-01T00:00:00Z", "2020-01-01T01:00:00+01:00", "2020-01-01T00:00:00.001Z", "2021-06-30T12:00:00Z",
    ]
  }

  private var random: Random
  var pool = Pool()

  init(seed: UInt64) { random = Random(seed: seed) }

  mutating func next() -> UInt64 { random.next() }

  mutating func pick<Element>(_ elements: [Element]) -> Element { random.pick(elements) }

  /// True once in that many times.
  mutating func chance(oneIn count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

  mutating func word(of letters: String, upTo length: Int) -> String {
    let letters = Array(letters)
    return String((0..<Int.random(in: 0...length, using: &self)).map { _ in pick(letters) })
  }
}

// Filters of any spelling.
extension FilterGenerator {
  /// A filter that follows the grammar, with names that no type needs to have.
  mutating func anyFilter(depth: Int = 4, inValuePath: Bool = false) -> Filter {
    switch depth > 0 ? Int.random(in: 0..<8, using: &self) : 7 {
    case 0, 1: return .and(anyFilters(depth: depth, inValuePath: inValuePath))
    case 2, 3: return .or(anyFilters(depth: depth, inValuePath: inValuePath))
    case 4: return .not(anyFilter(depth: depth - 1, inValuePath: inValuePath))
    case 5 where !inValuePath: return .element(.init(anyName()), anyFilter(depth: depth - 1, inValuePath: true))
    case 6: return .present(.init(anyName()))
    default: return .compare(.init(anyName()), pick(ComparisonOperator.allCases), .init(anyLiteral()))
    }
  }

  private mutating func anyFilters(depth: Int, inValuePath: Bool) -> [Filter] {
    (0..<Int.random(in: 2...4, using: &self)).map { _ in anyFilter(depth: depth - 1, inValuePath: inValuePath) }
  }

  mutating func anyName() -> String {
    let plain = pick(["a", "userName", "name.givenName", "$ref", "x-y_z.$ref", "pr", "and", "or", "eq", "true", "null"])
    return pick(["", "", "", "urn:ietf:params:scim:schemas:core:2.0:User:", "https://x.example/a~b?c=d#e:"]) + plain
  }

  mutating func anyLiteral() -> Filter.Literal {
    switch Int.random(in: 0..<6, using: &self) {
    case 0: .boolean(chance(oneIn: 2))
    case 1: .null
    case 2: .number(pick(pool.numbers + ["1e5", "-0", "123456789012345678901234567890", "1E-400"]))
    default: .string(chance(oneIn: 2) ? pick(pool.texts) : anyText())
    }
  }

  mutating func anyText() -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "\"", "\\", "/", "'", "\u{0}", "\n", "\u{1F}", "é", "\u{301}", "\u{FFFF}", "😀", "(", "]",
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...6, using: &self) { text.append(pick(scalars)) }
    return String(text)
  }
}

// Filters that are legal for a type.
extension FilterGenerator {
  /// A filter that every profile resolves against the type.
  mutating func filter(for type: ResourceType, depth: Int = 3) -> Filter {
    switch depth > 0 ? Int.random(in: 0..<9, using: &self) : 8 {
    case 0, 1: .and((0..<Int.random(in: 2...3, using: &self)).map { _ in filter(for: type, depth: depth - 1) })
    case 2, 3: .or((0..<Int.random(in: 2...3, using: &self)).map { _ in filter(for: type, depth: depth - 1) })
    case 4: .not(filter(for: type, depth: depth - 1))
    case 5: valuePath(for: type, depth: depth - 1)
    default: condition(for: type)
    }
  }

  private mutating func condition(for type: ResourceType) -> Filter {
    let (prefix, attributes) = pick(Self.attributes(of: type))
    let attribute = pick(attributes)
    guard attribute.type == .complex else { return test(prefix + attribute.name, attribute) }
    let value = attribute.subAttribute(named: "value")
    if chance(oneIn: 6) { return .present(.init(prefix + attribute.name)) }
    if let value, chance(oneIn: 4) { return test(prefix + attribute.name, value) }
    let sub = pick(Self.subAttributes(of: attribute, in: type))
    return test("\(prefix)\(attribute.name).\(sub.name)", sub)
  }

  private mutating func valuePath(for type: ResourceType, depth: Int) -> Filter {
    let candidates = Self.attributes(of: type).flatMap { prefix, attributes in
      attributes.filter { $0.type == .complex || $0.isMultiValued }.map { (prefix + $0.name, $0) }
    }
    guard !candidates.isEmpty else { return condition(for: type) }
    let (name, attribute) = pick(candidates)
    return .element(.init(name), inner(of: attribute, in: type, depth: depth))
  }

  private mutating func inner(of attribute: AttributeDefinition, in type: ResourceType, depth: Int) -> Filter {
    switch depth > 0 ? Int.random(in: 0..<6, using: &self) : 5 {
    case 0, 1: return .and((0..<2).map { _ in inner(of: attribute, in: type, depth: depth - 1) })
    case 2: return .or((0..<2).map { _ in inner(of: attribute, in: type, depth: depth - 1) })
    case 3: return .not(inner(of: attribute, in: type, depth: depth - 1))
    default:
      guard attribute.type == .complex else { return test("value", attribute) }
      let sub = pick(Self.subAttributes(of: attribute, in: type))
      return test(sub.name, sub)
    }
  }

  private mutating func test(_ name: String, _ attribute: AttributeDefinition) -> Filter {
    if chance(oneIn: 7) { return .present(.init(name)) }
    if chance(oneIn: 12) { return .compare(.init(name), pick([.eq, .ne]), .init(.null)) }
    let operators: [ComparisonOperator]
    let literal: Filter.Literal
    switch attribute.type {
    case .string, .reference, .complex:
      operators = ComparisonOperator.allCases
      literal = .string(pick(pool.texts))
    case .binary:
      operators = [.eq, .ne, .co, .sw, .ew]
      literal = .string(pick(pool.texts))
    case .boolean:
      operators = [.eq, .ne]
      literal = .boolean(chance(oneIn: 2))
    case .dateTime:
      operators = [.eq, .ne, .gt, .ge, .lt, .le]
      literal = .string(pick(pool.times))
    case .integer, .decimal:
      operators = [.eq, .ne, .gt, .ge, .lt, .le]
      literal = .number(pick(pool.numbers))
    }
    return .compare(.init(name), pick(operators), .init(literal))
  }

  /// Those that a filter may name.
  private static func subAttributes(
    of attribute: AttributeDefinition, in type: ResourceType
  ) -> [AttributeDefinition] {
    attribute.subAttributes.filter { sub in
      isShown(sub) && !type.isFilled(AttributeReference(home: .core, attribute: attribute, sub: sub))
    }
  }

  /// The attributes of each schema with what stands before their names.
  private static func attributes(of type: ResourceType) -> [(prefix: String, attributes: [AttributeDefinition])] {
    let extensions = type.extensions.map { ($0.schema.id + ":", $0.schema.attributes) }
    return ([("", CommonAttributes.all), ("", type.schema.attributes)] + extensions)
      .map { ($0.0, $0.1.filter(isShown)) }.filter { !$0.1.isEmpty }
  }
}

/// What is never shown is in no filter.
private func isShown(_ attribute: AttributeDefinition) -> Bool {
  attribute.returned != .never && attribute.mutability != .writeOnly
}

// Documents.
extension FilterGenerator {
  /// A rendered resource of the type with values of the pool, some of them empty, null or absent.
  mutating func document(for type: ResourceType) -> JSONObject {
    var document = object(of: CommonAttributes.all + type.schema.attributes)
    for candidate in type.extensions where !chance(oneIn: 3) {
      document[candidate.schema.id] = .object(object(of: candidate.schema.attributes))
    }
    return document
  }

  private mutating func object(of attributes: [AttributeDefinition]) -> JSONObject {
    var object = JSONObject()
    for attribute in attributes where attribute.returned != .never && !chance(oneIn: 3) {
      object[attribute.name] =
        attribute.isMultiValued
        ? .array((0..<Int.random(in: 0...3, using: &self)).map { _ in value(of: attribute) }) : value(of: attribute)
    }
    return object
  }

  private mutating func value(of attribute: AttributeDefinition) -> JSON {
    switch attribute.type {
    case .string, .reference, .binary: .string(pick(pool.texts))
    case .boolean: .bool(chance(oneIn: 2))
    case .dateTime: .string(pick(pool.times))
    case .integer: .integer(Int64(pick([-1, 0, 1, 9, 10])))
    case .decimal: chance(oneIn: 2) ? .double(pick([1.5, 9.5, -2.25])) : .integer(Int64(pick([1, 10])))
    case .complex: .object(object(of: attribute.subAttributes))
    }
  }
}
