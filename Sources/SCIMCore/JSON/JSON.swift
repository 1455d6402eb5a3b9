/// A JSON value (RFC 8259): the order of members is kept, integers and doubles are apart.
public enum JSON: Sendable, Hashable {
  case null
  case bool(Bool)
  /// A number written without fraction and exponent.
  case integer(Int64)
  /// A number written with a fraction or an exponent; always finite.
  case double(Double)
  case string(String)
  case array([JSON])
  case object(JSONObject)
}

extension JSON {
  /// Texts are equal byte by byte: `é` and `e` with an accent behind it are two values, which Swift's own comparison of
  /// strings takes for one.
  public static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.string(let left), .string(let right)): ASCII.equal(left, right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .string(let value): for byte in value.utf8 { hasher.combine(byte) }
    case .array(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    }
  }

  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
  public var integerValue: Int64? { if case .integer(let value) = self { value } else { nil } }
  public var arrayValue: [JSON]? { if case .array(let value) = self { value } else { nil } }
  public var objectValue: JSONObject? { if case .object(let value) = self { value } else { nil } }

  /// The member of that exact name, where this is an object that has it.
  public subscript(_ key: String) -> JSON? { objectValue?[key] }

  /// True for null and the empty array, which RFC 7643 section 2.5 both calls unassigned.
  public var isUnassigned: Bool {
    switch self {
    case .null: true
    case .array(let elements): elements.isEmpty
    default: false
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(JSONObject(elements.map { JSONObject.Member(key: $0.0, value: $0.1) }))
  }
  public init(nilLiteral: ()) { self = .null }
}
