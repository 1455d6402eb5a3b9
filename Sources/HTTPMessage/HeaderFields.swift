/// Header fields in order; names are compared without regard to letter case and kept in lower case.
public struct HeaderFields: Sendable, ExpressibleByDictionaryLiteral {
  /// One field line: the name in lower case, the value without blanks around it.
  public struct Field: Sendable, Equatable {
    /// The name, in lower case.
    public var name: String
    /// The value, without blanks around it.
    public var value: String

    /// Makes a field from a name that is in lower case already.
    public init(lowercasedName name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// All fields, in the order in which they came.
  public private(set) var fields: [Field] = []

  /// Makes an empty list.
  public init() {}

  /// Makes a list of names, in any letter case, with their values.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { append(name, value) }
  }

  /// The value of the first field of that name, which must be in lower case; nil where there is none.
  public subscript(_ lowercasedName: String) -> String? {
    for field in fields where field.name == lowercasedName { return field.value }
    return nil
  }

  /// All values of that name joined with commas, as RFC 9110 section 5.3 reads repeated list fields; nil for none.
  public func list(_ lowercasedName: String) -> String? {
    var joined: String?
    for field in fields where field.name == lowercasedName {
      joined = joined.map { $0 + ", " + field.value } ?? field.value
    }
    return joined
  }

  /// Appends a field whose name may be in any letter case.
  public mutating func append(_ name: String, _ value: String) {
    fields.append(Field(lowercasedName: name.lowercased(), value: value))
  }

  /// Appends a field whose name is in lower case already: nothing is converted.
  public mutating func append(_ field: Field) {
    fields.append(field)
  }

  /// Makes room for that many fields.
  public mutating func reserveCapacity(_ count: Int) {
    fields.reserveCapacity(count)
  }
}
