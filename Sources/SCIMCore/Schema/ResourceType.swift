/// One resource type: where it lives, which schemas it has, and which of its attributes are links (RFC 7643 section 6).
public final class ResourceType: Sendable {
  /// An extension schema of the type.
  public struct Extension: Sendable {
    public let schema: SchemaDefinition
    public let isRequired: Bool

    public init(schema: SchemaDefinition, isRequired: Bool) {
      self.schema = schema
      self.isRequired = isRequired
    }
  }

  /// The name, which is also the id; for example `User`.
  public let name: String
  /// The endpoint with its leading slash, for example `/Users`.
  public let endpoint: String
  public let schema: SchemaDefinition
  /// In the order in which the type lists them.
  public let extensions: [Extension]
  /// The attributes that are kept as links among resources and not in the document.
  public let links: [LinkDefinition]
  /// Paths of core attributes whose first text value is a resource's `display` where others refer to it, in order of
  /// preference; for example `["displayName", "userName"]`.
  public let displayAttributes: [String]
  /// Attributes of the base schema that every resource has, with the values for those that a client leaves out of a POST;
  /// left out of a PUT they stay as they were.
  public let defaults: [(name: String, value: JSON)]
  /// True where resources of this type are an organisation's roles or entitlements, which only an admin key may write.
  public let isCatalog: Bool
  /// The document as `/ResourceTypes` serves it, without `meta`.
  public let document: JSONObject
  /// True where no attribute that a stored document can hold is returned never or on request, so that documents are
  /// shown as they are unless a request names attributes.
  public let isShownWhole: Bool
  /// The URN of the draft's extension, whose `totalAssignmentsUsed` is counted and not stored; nil where the type is
  /// not of the catalogue or has none such.
  public let countedExtension: String?
  /// How many attributes the base schema and the extensions have, with the sub-attributes of complex ones.
  public let attributeCount: Int
  /// True where a resource of the type may have members, as a group does.
  public let hasMembers: Bool
  /// The attributes that refer to another resource by an id which need not exist.
  public let references: [ReferenceAttribute]
  /// The members of a stored document that showing it asks for.
  let outlineNames: OutlineNames
  /// What the index holds of a resource, attribute by attribute.
  let indexedAttributes: [IndexedAttribute]
  /// The leaves of `indexedAttributes`, in the order of their numbers.
  public let indexedLeaves: [IndexedAttribute.Leaf]
  /// The paths whose values the index has under their second name (`indexPath`), and "" where it has the signatures so.
  public let secondNames: Set<String>

  public init(
    name: String, endpoint: String, schema: SchemaDefinition, extensions: [Extension] = [],
    links: [LinkDefinition] = [], displayAttributes: [String] = ["displayName"],
    defaults: [(name: String, value: JSON)] = [], isCatalog: Bool = false, document: JSONObject,
    secondNames: Set<String> = []
  ) {
    self.name = name
    self.endpoint = endpoint
    self.schema = schema
    self.extensions = extensions
    self.links = links
    self.displayAttributes = displayAttributes
    self.defaults = defaults
    self.isCatalog = isCatalog
    self.document = document
    hasMembers = links.contains { if case .members = $0.kind { true } else { false } }
    references =
      schema.attributes.compactMap { ReferenceAttribute($0, of: nil) }
      + extensions.flatMap { part in part.schema.attributes.compactMap { ReferenceAttribute($0, of: part.schema.id) } }
    indexedAttributes = IndexedAttribute.all(schema: schema, extensions: extensions, links: links)
    self.secondNames = secondNames
    var leaves = IndexedAttribute.leaves(of: indexedAttributes)
    for index in leaves.indices where secondNames.contains(leaves[index].path) {
      leaves[index].indexPath += Self.secondSuffix
    }
    indexedLeaves = leaves
    isShownWhole =
      schema.attributes.allSatisfy { $0.isSecret || $0.isShownWhole }
      && extensions.allSatisfy { $0.schema.attributes.allSatisfy(\.isShownWhole) }
    countedExtension =
      isCatalog ? extensions.first { CountedAttribute.stands(in: $0.schema) }?.schema.id : nil
    attributeCount = ([schema] + extensions.map(\.schema)).reduce(0) { count, schema in
      schema.attributes.reduce(count) { $0 + 1 + $1.subAttributes.count }
    }
    outlineNames = OutlineNames(
      references.map { $0.extensionURN ?? $0.definition.name }
        + links.filter { if case .catalog = $0.kind { true } else { false } }.map { $0.extensionURN ?? $0.name }
        + (countedExtension.map { [$0] } ?? []))
  }

  /// The link kept for the attribute of that canonical path; nil where it is no link.
  public func link(for attribute: String) -> LinkDefinition? {
    links.first { $0.attribute == attribute }
  }

  /// The link kept for the attribute that a reference names, whatever its sub-attribute; nil where it is no link.
  public func link(for reference: AttributeReference) -> LinkDefinition? {
    switch reference.home {
    case .common: nil
    case .core: links.first { $0.extensionURN == nil && $0.name == reference.attribute.name }
    case .extension(let urn): links.first { $0.extensionURN == urn && $0.name == reference.attribute.name }
    }
  }

  /// The attribute that a link of the type is kept for.
  public func definition(of link: LinkDefinition) -> AttributeDefinition? {
    guard let urn = link.extensionURN else { return schema.attribute(named: link.name) }
    return extensions.first { $0.schema.id == urn }?.schema.attribute(named: link.name)
  }

  /// True for a sub-attribute that is filled in when a resource is shown.
  public func isFilled(_ reference: AttributeReference) -> Bool {
    guard let sub = reference.sub, ReferenceAttribute.isFilled(sub) else { return false }
    return references.contains { $0.definition === reference.attribute }
  }

  /// True where the name begins with the URN of one of the type's schemas.
  func hasSchema(inFrontOf name: String) -> Bool {
    let name = ASCII.lowercase(name)
    return name.hasPrefix(ASCII.lowercase(schema.id))
      || extensions.contains { name.hasPrefix(ASCII.lowercase($0.schema.id)) }
  }

  /// The extension with that URN in any ASCII letter case; nil where the type has none such.
  public func `extension`(urn: String) -> Extension? {
    extensions.first { ASCII.equalIgnoringCase($0.schema.id, urn) }
  }

  /// True where that is the URN of the base schema or of an extension, as it is defined.
  public func hasSchema(_ urn: String) -> Bool {
    ASCII.equal(schema.id, urn) || extensions.contains { ASCII.equal($0.schema.id, urn) }
  }
}
