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
  var document: JSONObject
}

extension ResourceTypeDraft {
  /// The draft of a type that has been loaded before, to be checked again among others.
  init(_ type: ResourceType) {
    self.init(
      file: "resource type \(type.name)", name: type.name, endpoint: type.endpoint, schema: type.schema.id,
      extensions: type.extensions.map { Extension(schema: $0.schema.id, isRequired: $0.isRequired) },
      links: type.links, display: type.displayAttributes, document: type.document)
  }
}
