/// Reads one ResourceType document (RFC 7643 section 6) with its vendor member `roster`, and notes what is wrong with it
/// on its own.
///
/// `roster` says what the RFC has no words for, and is not served:
/// ```
/// "roster": {
///   "links": {
///     "groups": {"memberOf": "Group.members"},
///     "roles": {"catalog": "urn:okta:scim:schemas:core:1.0:Role"}
///   },
///   "display": ["displayName", "userName"],
///   "defaults": {"active": true}
/// }
/// ```
struct ResourceTypeParser {
  private static let members = [
    "schemas", "id", "name", "displayName", "endpoint", "description", "schema", "schemaExtensions", "meta", "roster",
  ]

  let reader: MemberReader

  /// The draft; nil where a name is missing, so that nothing more can be said of it.
  func parse() -> ResourceTypeDraft? {
    reader.allow(Self.members)
    let name = reader.text("name", isRequired: true)
    if let name, !SchemaSyntax.isTypeName(name) {
      reader.note(
        name.utf8.count > SchemaSyntax.longestTypeName
          ? "must have at most \(SchemaSyntax.longestTypeName) characters"
          : "\"\(name)\" is no type name: a letter, then letters, digits, - and _", at: "name")
    }
    if let id = reader.text("id"), let name, id != name { reader.note("must equal the name, \"\(name)\"", at: "id") }
    // A label for people, served as it is.
    if let label = reader.text("displayName"), label.count > SchemaSyntax.longestTypeName {
      reader.note("must have at most \(SchemaSyntax.longestTypeName) characters", at: "displayName")
    }
    let endpoint = reader.text("endpoint", isRequired: true)
    if let endpoint, let problem = SchemaSyntax.endpointProblem(endpoint) { reader.note(problem, at: "endpoint") }
    _ = reader.text("description")
    let schema = reader.text("schema", isRequired: true)
    let extensions = parseExtensions()
    let roster = reader.child("roster")
    roster?.allow(["links", "display", "defaults"])
    let links = roster.map(parseLinks) ?? []
    let display = roster?.object["display"] == nil ? nil : roster?.texts("display")
    let defaults = roster?.child("defaults")?.object.members.map { (name: $0.key, value: $0.value) } ?? []
    guard let name, let endpoint, let schema else { return nil }
    var document = reader.object
    document["meta"] = nil
    document["roster"] = nil
    return ResourceTypeDraft(
      file: reader.file, name: name, endpoint: endpoint, schema: schema, extensions: extensions, links: links,
      display: display, defaults: defaults, document: document)
  }

  /// The extensions that the document lists.
  func parseExtensions() -> [ResourceTypeDraft.Extension] {
    (reader.children("schemaExtensions") ?? []).compactMap { reader in
      reader.allow(["schema", "required"])
      let schema = reader.text("schema", isRequired: true)
      let isRequired = reader.boolean("required", isRequired: true)
      return schema.map { ResourceTypeDraft.Extension(schema: $0, isRequired: isRequired ?? false) }
    }
  }

  private func parseLinks(_ roster: MemberReader) -> [LinkDefinition] {
    guard let links = roster.child("links") else { return [] }
    return links.object.members.compactMap { member in
      guard let link = links.child(member.key) else { return nil }
      link.allow(["members", "memberOf", "catalog"])
      guard link.object.members.count == 1 else {
        link.note("must have exactly one of members, memberOf and catalog")
        return nil
      }
      return parseKind(link).map { LinkDefinition(attribute: member.key, kind: $0) }
    }
  }

  private func parseKind(_ link: MemberReader) -> LinkDefinition.Kind? {
    if link.object["members"] != nil {
      let types = link.texts("members")
      if types.isEmpty { link.note("must name at least one resource type", at: "members") }
      return types.isEmpty ? nil : .members(types: types)
    }
    if let catalog = link.text("catalog") { return .catalog(schema: catalog) }
    guard let text = link.text("memberOf") else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      link.note("must be a resource type and its attribute, as Group.members is", at: "memberOf")
      return nil
    }
    return .memberOf(type: String(parts[0]), attribute: String(parts[1]))
  }
}
