/// One attribute or sub-attribute of a schema with its characteristics (RFC 7643 section 7).
///
/// Immutable and shared by reference. Characteristics that a schema leaves out have the defaults of RFC 7643 section 2.2.
public final class AttributeDefinition: Sendable {
  /// The data types of RFC 7643 section 2.3.
  public enum DataType: String, Sendable, CaseIterable {
    case string, boolean, decimal, integer, dateTime, binary, reference, complex
  }
  public enum Mutability: String, Sendable, CaseIterable {
    case readOnly, readWrite, immutable, writeOnly
  }
  public enum Returned: String, Sendable, CaseIterable {
    case always, never, `default`, request
  }
  public enum Uniqueness: String, Sendable, CaseIterable {
    case none, server, global
  }

  public let name: String
  public let type: DataType
  public let isMultiValued: Bool
  public let text: String
  public let isRequired: Bool
  public let canonicalValues: [String]
  public let isCaseExact: Bool
  public let mutability: Mutability
  public let returned: Returned
  public let uniqueness: Uniqueness
  public let referenceTypes: [String]
  public let subAttributes: [AttributeDefinition]

  public init(
    name: String, type: DataType = .string, isMultiValued: Bool = false, text: String = "", isRequired: Bool = false,
    canonicalValues: [String] = [], isCaseExact: Bool = false, mutability: Mutability = .readWrite,
    returned: Returned = .default, uniqueness: Uniqueness = .none, referenceTypes: [String] = [],
    subAttributes: [AttributeDefinition] = []
  ) {
    self.name = name
    self.type = type
    self.isMultiValued = isMultiValued
    self.text = text
    self.isRequired = isRequired
    self.canonicalValues = canonicalValues
    self.isCaseExact = isCaseExact
    self.mutability = mutability
    self.returned = returned
    self.uniqueness = uniqueness
    self.referenceTypes = referenceTypes
    self.subAttributes = subAttributes
  }

  /// True for the sub-attribute that marks elements which are derived from others and not stored: a client that repeats
  /// such an element stores nothing. An element without it is none. What an organisation calls `inherited` in a schema of
  /// its own is no such mark.
  public var marksInherited: Bool { self === GroupGrants.mark }

  /// The sub-attribute of that name in any ASCII letter case (RFC 7643 section 2.1); nil where there is none.
  public func subAttribute(named name: String) -> AttributeDefinition? {
    subAttributes.first { ASCII.equalIgnoringCase($0.name, name) }
  }
}
