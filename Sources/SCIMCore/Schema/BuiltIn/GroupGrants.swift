/// Groups that grant roles and entitlements to their members: what an organisation has besides the built-in schemas and
/// types where it is set so.
///
/// A group gets the extension `urn` with the catalogue attributes of users; a user's own get the sub-attribute
/// `inherited`, which marks the elements that come from groups. These are derived when a user is read.
public enum GroupGrants {
  /// The URN of the extension of groups.
  public static let urn = "urn:roster:scim:schemas:extension:grants:1.0:Group"

  /// What is built in for an organisation: what all have, and with it what grants need where its groups grant. The same
  /// object each time.
  ///
  /// - Throws: `SchemaError` where the base lacks what a grant needs: users with groups, `roles` and `entitlements`.
  public static func added(
    to base: SchemaRegistry, where hasGrants: Bool = true
  ) throws(SchemaError) -> SchemaRegistry {
    try base.builtIn(for: SchemaSettings(hasGrants: hasGrants))
  }

  static func made(of base: SchemaRegistry) throws(SchemaError) -> SchemaRegistry {
    guard let user = base.type(named: "User"), let group = base.type(named: "Group"),
      case .memberOf("Group", _)? = user.link(for: "groups")?.kind
    else { throw failure("needs users with the attribute groups, and groups with members") }
    let grants = try SchemaLoader.load(BuiltInSchemas.optionalDocuments).schemas
    guard let extensionSchema = grants.first(where: { $0.id == urn }) else { throw failure("has no schema") }
    var userSchema = user.schema
    var userLinks = user.links
    var groupLinks = group.links
    for attribute in extensionSchema.attributes {
      guard let index = userLinks.firstIndex(where: { $0.attribute == attribute.name }),
        case .catalog(let catalog) = userLinks[index].kind
      else { throw failure("needs users with the catalogue attribute \(attribute.name)") }
      let granted = LinkDefinition(attribute: attribute.name, of: urn, kind: .catalog(schema: catalog), isGrant: true)
      groupLinks.append(granted)
      userLinks[index] = LinkDefinition(
        attribute: attribute.name, kind: .catalog(schema: catalog),
        inheritance: LinkDefinition.Inheritance(through: "groups", attribute: granted.attribute))
      userSchema = marked(userSchema, attribute: attribute.name)
    }
    let problems = ProblemList()
    let schemas = base.schemas.map { $0 === user.schema ? userSchema : $0 } + grants
    var drafts: [ResourceTypeDraft] = []
    for type in base.types {
      var draft = ResourceTypeDraft(type)
      if type === user || type === group {
        draft.original = nil
        draft.links = type === user ? userLinks : groupLinks
      }
      if type === group { draft.add([.init(schema: urn, isRequired: false)]) }
      drafts.append(draft)
    }
    let registry = RegistryBuilder(
      schemas: schemas.map { .init(file: "schema \($0.id)", definition: $0) }, types: drafts, problems: problems
    ).build()
    try problems.throwIfAny()
    return registry
  }

  /// The schema with the mark on the elements of one attribute.
  private static func marked(_ schema: SchemaDefinition, attribute name: String) -> SchemaDefinition {
    let attributes = schema.attributes.map { attribute in
      attribute.name == name ? attribute.adding(mark) : attribute
    }
    var document = schema.document
    document["attributes"] = .array(
      (document["attributes"]?.arrayValue ?? []).map { attribute in
        guard attribute["name"]?.stringValue == name, var object = attribute.objectValue else { return attribute }
        object["subAttributes"] = .array((object["subAttributes"]?.arrayValue ?? []) + [markDocument])
        return .object(object)
      })
    return SchemaDefinition(
      id: schema.id, name: schema.name, text: schema.text, attributes: attributes, document: document)
  }

  private static let markText = "True for an element that the user has from a group; set by the server."
  /// The sub-attribute; known by its identity (`AttributeDefinition.marksInherited`).
  static let mark = AttributeDefinition(
    name: "inherited", type: .boolean, text: markText, mutability: .readOnly)
  private static let markDocument: JSON = [
    "name": "inherited", "type": "boolean", "multiValued": false, "description": .string(markText),
    "required": false, "caseExact": false, "mutability": "readOnly", "returned": "default", "uniqueness": "none",
  ]

  private static func failure(_ message: String) -> SchemaError {
    SchemaError([SchemaError.Problem(file: "the grants of groups", place: "", message: message)])
  }
}

extension AttributeDefinition {
  /// The same attribute with one more sub-attribute.
  fileprivate func adding(_ sub: AttributeDefinition) -> AttributeDefinition {
    AttributeDefinition(
      name: name, type: type, isMultiValued: isMultiValued, text: text, isRequired: isRequired,
      canonicalValues: canonicalValues, isCaseExact: isCaseExact, mutability: mutability, returned: returned,
      uniqueness: uniqueness, referenceTypes: referenceTypes, subAttributes: subAttributes + [sub])
  }
}

extension SchemaRegistry {
  /// True where groups grant.
  public var hasGrants: Bool { type(named: "Group")?.links.contains(where: \.isGrant) ?? false }
}
