import SCIMCore

/// Foundation's coders are the oracle of the tests; the program reads and writes JSON by itself.
extension JSON: Codable {
  /// Reads a value from any decoder.
  ///
  /// What Foundation's `JSONDecoder` does to a text cannot be undone here: 1.0 and 1e2 arrive as the integers 1 and
  /// 100, members come in no order, and a name given twice is silent. Use `init(parsing:limits:)` for what a client
  /// sent. An integer outside Int64 that a double would not hold exactly is refused.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      if let exact = try? container.decode(UInt64.self), Double(exactly: exact) == nil {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "an integer outside Int64")
      }
      guard value.isFinite else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "a number that is not finite")
      }
      self = .double(value)
    } else if let members = try? decoder.container(keyedBy: Name.self) {
      var object = JSONObject()
      object.members.reserveCapacity(members.allKeys.count)
      for name in members.allKeys {
        object.members.append(.init(key: name.stringValue, value: try members.decode(JSON.self, forKey: name)))
      }
      self = .object(object)
    } else {
      var elements = try decoder.unkeyedContainer()
      var array: [JSON] = []
      array.reserveCapacity(elements.count ?? 0)
      while !elements.isAtEnd { array.append(try elements.decode(JSON.self)) }
      self = .array(array)
    }
  }

  /// Writes the value to any encoder, members in their order where the encoder keeps one (Foundation's does not).
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .object(let object):
      var container = encoder.container(keyedBy: Name.self)
      for member in object.members { try container.encode(member.value, forKey: Name(stringValue: member.key)) }
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .bool(let value): try container.encode(value)
      case .integer(let value): try container.encode(value)
      case .double(let value): try container.encode(value)
      case .string(let value): try container.encode(value)
      case .null, .array, .object: try container.encodeNil()
      }
    }
  }

  /// The name of a member as a coding key; none is an index.
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
