import Foundation

/// The schemas and resource types that every organisation has: User, Group, Role and Characteristic, built into the
/// binary from the documents in `schemas/`.
public enum BuiltInSchemas {
  /// The documents as they stand in `schemas/`, named by their path there: `User.json`, `types/User.json`.
  public static let documents: [SchemaDocument] = texts.map {
    SchemaDocument(name: $0.name, data: Data($0.text.utf8))
  }

  /// The documents of what an organisation has only where it is set so: `optional/Grants.json`.
  public static let optionalDocuments: [SchemaDocument] = optionalTexts.map {
    SchemaDocument(name: $0.name, data: Data($0.text.utf8))
  }

  /// The schemas of ServiceProviderConfig, ResourceType and Schema (RFC 7643 section 8.7.2), which `/Schemas` serves and
  /// no type has: a schema holds attributes that hold attributes, which no other may.
  public static let discovery: [SchemaDefinition] = discoveryDocuments.compactMap { document in
    guard let object = try? JSON(parsing: document.data).objectValue, let id = object["id"]?.stringValue else {
      return nil
    }
    return SchemaDefinition(
      id: id, name: object["name"]?.stringValue ?? "", text: object["description"]?.stringValue ?? "", attributes: [],
      document: object)
  }

  /// The documents of these schemas: `discovery/Schema.json`.
  public static let discoveryDocuments: [SchemaDocument] = discoveryTexts.map {
    SchemaDocument(name: $0.name, data: Data($0.text.utf8))
  }

  /// The schema of a discovery document with that URN in any ASCII letter case.
  public static func discovery(id: String) -> SchemaDefinition? {
    discovery.first { ASCII.equalIgnoringCase($0.id, id) }
  }

  /// The documents, parsed and cross-checked once.
  public static let registry: SchemaRegistry = {
    do throws(SchemaError) {
      return try SchemaLoader.load(documents)
    } catch {
      // No input gets here: the documents are part of the source, and the tests load them.
      preconditionFailure(error.description)
    }
  }()
}
