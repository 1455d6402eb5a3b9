/// A resource type whose schemas and links are still names.
struct ResourceTypeDraft {
  struct Extension {
    var schema: String
    var isRequired: Bool
  }

  /// The document it comes from, for messages.
  var file: String
  var name: String
  var endpoint: String
  var schema: String
  var extensions: [Extension]
  var links: [LinkDefinition]
  /// Nil where the document leaves them to the default.
  var display: [String]?
  var defaults: [(name: String, value: JSON)] = []
  var document: JSONObject
  /// The loaded type that the draft was made of, as long as nothing has been added to it.
  var original: ResourceType?
}

extension ResourceTypeDraft {
  /// The draft of a type that has been loaded before, to be checked again among others.
  init(_ type: ResourceType) {
    self.init(
      file: "resource type \(type.name)", name: type.name, endpoint: type.endpoint, schema: type.schema.id,
      extensions: type.extensions.map { Extension(schema: $0.schema.id, isRequired: $0.isRequired) },
      links: type.links, display: type.displayAttributes, defaults: type.defaults, document: type.document,
      original: type)
  }

  /// Adds extensions behind those that the type has.
  mutating func add(_ added: [Extension]) {
    guard !added.isEmpty else { return }
    original = nil
    extensions += added
    let listed = added.map {
      JSON.object(
        JSONObject([
          .init(key: "schema", value: .string($0.schema)), .init(key: "required", value: .bool($0.isRequired)),
        ]))
    }
    document["schemaExtensions"] = .array((document["schemaExtensions"]?.arrayValue ?? []) + listed)
  }
}
