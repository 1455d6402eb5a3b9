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
