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
