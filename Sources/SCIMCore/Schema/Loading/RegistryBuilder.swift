/// Checks schemas and drafts of resource types against each other, and makes the registry of them.
///
/// Every mistake is noted; what `build` returns counts only where there was none.
struct RegistryBuilder {
  struct Schema {
    var file: String
    var definition: SchemaDefinition
  }

  private let schemas: [Schema]
  private let drafts: [ResourceTypeDraft]
  private let problems: ProblemList
  private let schemasByID: [String: SchemaDefinition]
  private let draftsByName: [String: ResourceTypeDraft]
  private let knownBases: [String]

  /// - Parameter knownBases: URNs of schemas on which types may be based, though none is.
  init(schemas: [Schema], types: [ResourceTypeDraft], knownBases: [String] = [], problems: ProblemList) {
    self.knownBases = knownBases
    self.schemas = schemas
    self.drafts = types
    self.problems = problems
    schemasByID = Dictionary(
      schemas.map { (ASCII.lowercase($0.definition.id), $0.definition) }, uniquingKeysWith: { first, _ in first })
    draftsByName = Dictionary(types.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func build(
    settings: SchemaSettings = .standard, revision: Int64 = 0, leftOut: Set<String> = [],
    unreadable: [UnreadableDefinition] = []
  ) -> SchemaRegistry {
    checkUnique(schemas, "id", "schema", file: \.file) { $0.definition.id }
    checkUnique(drafts, "name", "resource type", file: \.file) { $0.name }
    checkUnique(drafts, "endpoint", "endpoint", file: \.file) { $0.endpoint }
    let types = drafts.compactMap(build)
    return SchemaRegistry(
      schemas: schemas.map(\.definition), types: types, settings: settings, revision: revision, leftOut: leftOut,
      unreadable: unreadable)
  }

  private func checkUnique<Element>(
    _ elements: [Element], _ place: String, _ noun: String, file: (Element) -> String, key: (Element) -> String
  ) {
    var files: [String: String] = [:]
    for element in elements {
      let name = key(element)
      if let other = files.updateValue(file(element), forKey: ASCII.lowercase(name)) {
        problems.add("the \(noun) \"\(name)\" is already defined in \(other)", in: file(element), at: place)
      }
    }
  }

  private func build(_ draft: ResourceTypeDraft) -> ResourceType? {
    guard let schema = schemasByID[ASCII.lowercase(draft.schema)] else {
      problems.add("there is no schema \"\(draft.schema)\"", in: draft.file, at: "schema")
      return nil
    }
    checkBase(schema, of: draft)
    let extensions = resolveExtensions(draft, base: schema)
    checkNames([schema] + extensions.map(\.schema), of: draft)
    let checker = LinkChecker(
      draft: draft, schema: schema, extensions: extensions, drafts: draftsByName, problems: problems)
    for link in draft.links {
      checker.check(link, hasSchema: { schemasByID[ASCII.lowercase($0)] != nil }, isBaseSchema: isBaseSchema)
    }
    checkDisplay(draft, schema: schema)
    checkDefaults(draft, schema: schema)
    if let original = draft.original, isUnchanged(original) { return original }
    return ResourceType(
      name: draft.name, endpoint: draft.endpoint, schema: schema, extensions: extensions,
      links: draft.links.map(canonical),
      displayAttributes: draft.display ?? (schema.attribute(named: "displayName").map { [$0.name] } ?? []),
      defaults: draft.defaults,
      isCatalog: isCatalog(schema.id), document: canonical(draft.document, schema, extensions))
  }

  /// True where a type that was checked before has the same schemas and the same part in the catalogue as then.
  private func isUnchanged(_ type: ResourceType) -> Bool {
    func isSame(_ schema: SchemaDefinition) -> Bool { schemasByID[ASCII.lowercase(schema.id)] === schema }
    return isSame(type.schema) && type.extensions.allSatisfy { isSame($0.schema) }
      && type.isCatalog == isCatalog(type.schema.id)
  }

  /// `id`, `externalId`, `meta` and `schemas` exist on every resource and cannot be defined anew (RFC 7643 section 3.1).
  private func checkBase(_ schema: SchemaDefinition, of draft: ResourceTypeDraft) {
    for attribute in schema.attributes where CommonAttributes.attribute(named: attribute.name) != nil {
      problems.add(
        "the base schema \(schema.id) defines \"\(attribute.name)\", which every resource already has",
        in: draft.file, at: "schema")
    }
  }

  private func resolveExtensions(_ draft: ResourceTypeDraft, base: SchemaDefinition) -> [ResourceType.Extension] {
    var extensions: [ResourceType.Extension] = []
    for (index, item) in draft.extensions.enumerated() {
      let place = "schemaExtensions[\(index)].schema"
      guard let schema = schemasByID[ASCII.lowercase(item.schema)] else {
        problems.add("there is no schema \"\(item.schema)\"", in: draft.file, at: place)
        continue
      }
      if schema === base {
        problems.add("is the type's own base schema", in: draft.file, at: place)
      } else if extensions.contains(where: { $0.schema === schema }) {
        problems.add("\"\(item.schema)\" is listed twice", in: draft.file, at: place)
      } else {
        extensions.append(ResourceType.Extension(schema: schema, isRequired: item.isRequired))
      }
    }
    return extensions
  }

  /// Refuses two readings of one qualified name: `urn:a:B:c` as attribute `c` of `urn:a:B`, and as a schema.
  private func checkNames(_ schemas: [SchemaDefinition], of draft: ResourceTypeDraft) {
    for schema in schemas {
      for other in schemas where other !== schema {
        guard ASCII.lowercase(other.id).hasPrefix(ASCII.lowercase(schema.id) + ":") else { continue }
        let rest = String(other.id.utf8.dropFirst(schema.id.utf8.count + 1)) ?? ""
        if schema.attribute(named: rest) != nil {
          problems.add(
            "\"\(other.id)\" names both a schema and the attribute \"\(rest)\" of \(schema.id)", in: draft.file,
            at: "schemaExtensions")
        }
      }
    }
  }

  private func checkDisplay(_ draft: ResourceTypeDraft, schema: SchemaDefinition) {
    for (index, path) in (draft.display ?? []).enumerated() {
      let parts = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      var leaf = schema.attributes.first { $0.name == parts[0] }
      if parts.count == 2 { leaf = leaf?.subAttributes.first { $0.name == parts[1] } }
      guard parts.count <= 2, let leaf, leaf.type == .string, leaf.returned != .never else {
        problems.add(
          "\"\(path)\" is no text attribute of \(schema.id)", in: draft.file, at: "roster.display[\(index)]")
        continue
      }
    }
  }

  private func checkDefaults(_ draft: ResourceTypeDraft, schema: SchemaDefinition) {
    for (name, value) in draft.defaults {
      let attribute = schema.attributes.first { $0.name == name }
      guard let attribute, attribute.type == .boolean, !attribute.isMultiValued, case .bool = value else {
        problems.add(
          "must be true or false for an attribute of that type", in: draft.file, at: "roster.defaults.\(name)")
        continue
      }
    }
  }

  private func isBaseSchema(_ urn: String) -> Bool {
    (drafts.map(\.schema) + knownBases).contains { ASCII.equalIgnoringCase($0, urn) }
  }

  /// True where a type's link takes its values from the types of this base schema.
  private func isCatalog(_ urn: String) -> Bool {
    drafts.contains { draft in
      draft.links.contains { link in
        if case .catalog(let schema) = link.kind { ASCII.equalIgnoringCase(schema, urn) } else { false }
      }
    }
  }

  /// The document with URNs as their schemas spell them: they may be given in any letter case.
  private func canonical(
    _ document: JSONObject, _ schema: SchemaDefinition, _ extensions: [ResourceType.Extension]
  ) -> JSONObject {
    var document = document
    document["schema"] = .string(schema.id)
    guard let entries = document["schemaExtensions"]?.arrayValue, !entries.isEmpty else { return document }
    document["schemaExtensions"] = .array(
      entries.map { entry in
        guard var object = entry.objectValue, let urn = object["schema"]?.stringValue,
          let known = schemasByID[ASCII.lowercase(urn)]
        else { return entry }
        object["schema"] = .string(known.id)
        return .object(object)
      })
    return document
  }

  /// The link with the schema's URN as the schema spells it.
  private func canonical(_ link: LinkDefinition) -> LinkDefinition {
    guard case .catalog(let urn) = link.kind, let schema = schemasByID[ASCII.lowercase(urn)] else { return link }
    return LinkDefinition(
      attribute: link.name, of: link.extensionURN, kind: .catalog(schema: schema.id), inheritance: link.inheritance,
      isGrant: link.isGrant)
  }
}
