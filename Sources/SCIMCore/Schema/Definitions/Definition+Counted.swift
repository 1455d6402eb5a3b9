extension Definition {
  /// A resource type of roles or entitlements with the extension by which their assignments are counted and limited
  /// (draft-ietf-scim-roles-entitlements), as those have that are built in: what it does not list would be dropped from
  /// its resources in silence. All else as it is.
  public func addingCountedExtension(of base: SchemaRegistry) -> Definition {
    guard kind == .type, let named = document["schema"]?.stringValue, let schema = base.schema(id: named)?.id,
      let counted = base.catalogTypes(schema: schema).compactMap(\.countedExtension).first
    else { return self }
    let listed = document["schemaExtensions"] ?? .array([])
    // What is no list is refused elsewhere.
    guard let entries = listed.arrayValue,
      !entries.contains(where: { $0["schema"]?.stringValue.map { ASCII.equalIgnoringCase($0, counted) } ?? false })
    else { return self }
    var definition = self
    definition.document["schemaExtensions"] = .array(entries + [TypeDescription.entry(counted, isRequired: false)])
    return definition
  }
}
