import SCIMCore
import Testing

/// Every shipped type through the whole way: a body with a value for each attribute, normalised, checked, indexed and
/// rendered.
struct BuiltInTypesTests {
  static let names = BuiltInSchemas.registry.types.map(\.name)

  private func body(_ type: ResourceType) -> JSON {
    var object = JSONObject()
    object["schemas"] = .array(([type.schema.id] + type.extensions.map(\.schema.id)).map(JSON.string))
    fill(&object, type.schema.attributes)
    for definition in type.extensions {
      var content = JSONObject()
      fill(&content, definition.schema.attributes)
      object[definition.schema.id] = .object(content)
    }
    return .object(object)
  }

  private func fill(_ object: inout JSONObject, _ definitions: [AttributeDefinition]) {
    for definition in definitions {
      let value = single(definition)
      object[definition.name] = definition.isMultiValued ? .array([value]) : value
    }
  }

  private func single(_ definition: AttributeDefinition) -> JSON {
    switch definition.type {
    case .string, .reference: return "Text"
    case .boolean: return true
    case .integer: return 7
    case .decimal: return 1.5
    case .dateTime: return "2026-01-31T09:30:00Z"
    case .binary: return "TUlJQg=="
    case .complex:
      var object = JSONObject()
      fill(&object, definition.subAttributes)
      return .object(object)
    }
  }

  @Test(arguments: names) func roundTrip(_ name: String) throws {
    let registry = BuiltInSchemas.registry
    let type = try #require(registry.type(named: name))
    for profile in Profile.allCases {
      let resource = try ResourceNormalizer.normalize(body(type), type: type, profile: profile)
      try ResourceValidator.validate(document: resource.document, links: resource.links, type: type)

      // What is written and neither the server's nor kept apart is in the document, each leaf of it in the index.
      let kept = type.schema.attributes.filter { definition in
        CommonAttributes.attribute(named: definition.name) == nil && type.link(for: definition.name) == nil
          && definition.mutability == .readWrite
      }
      for definition in kept { #expect(resource.document[definition.name] != nil, "\(definition.name)") }
      let paths = Set(DocumentIndex.keys(of: resource.document, type: type).map(\.path))
      for definition in kept {
        let leaves =
          definition.subAttributes.isEmpty
          ? [definition.name]
          : definition.subAttributes.filter { $0.mutability != .readOnly }.map { "\(definition.name).\($0.name)" }
        for leaf in leaves { #expect(paths.contains(leaf), "\(leaf)") }
      }
      for path in paths {
        #expect(AttributeName.resolve(path, in: type, profile: .strict)?.path == path)
      }

      let stored = StoredResource(
        handle: 1, type: name, id: "7", version: 1, created: Timestamp(milliseconds: 0),
        modified: Timestamp(milliseconds: 0), document: JSON.object(resource.document).encoded())
      var output: [UInt8] = []
      let renderer = ResourceRenderer(baseURL: "https://scim.example/v2")
      try renderer.append(stored, type: type, registry: registry, to: &output)
      let shown = try renderer.json(stored, type: type, registry: registry)
      #expect(try JSON(parsing: output) == .object(shown))
      #expect(shown["password"] == nil)
      #expect(Projection.none.isDefault(for: type), "stored bytes are served as they are")
    }
  }

  @Test("The catalogue's types name themselves and count")
  func catalog() throws {
    let registry = BuiltInSchemas.registry
    let type = try #require(registry.type(named: "Characteristic"))
    let resource = try ResourceNormalizer.normalize(body(type), type: type, profile: .strict)
    #expect(resource.document["type"] == "Characteristic")
    #expect(type.countedExtension == "urn:ietf:params:scim:schemas:core:2.0:Entitlement")
    #expect(registry.type(named: "User")?.countedExtension == nil)
  }
}
