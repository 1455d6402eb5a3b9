import Foundation

/// The schemas and resource types that every organisation has: User, Group, Role and Characteristic, built into the
/// binary from the documents in `schemas/`.
public enum BuiltInSchemas {
  /// The documents as they stand in `schemas/`, named by their path there: `User.json`, `types/User.type.json`.
  ///
  /// The package manager builds them in under their file names, which all differ. The order is that of `/Schemas` and
  /// `/ResourceTypes`: what every client looks for comes first.
  public static let documents: [SchemaDocument] = [
    document("User.json", PackageResources.User_json),
    document("Group.json", PackageResources.Group_json),
    document("EnterpriseUser.json", PackageResources.EnterpriseUser_json),
    document("types/User.type.json", PackageResources.User_type_json),
    document("types/Group.type.json", PackageResources.Group_type_json),
    document("types/Role.type.json", PackageResources.Role_type_json),
    document("Characteristic.json", PackageResources.Characteristic_json),
    document("Entitlement.json", PackageResources.Entitlement_json),
    document("EntitlementAssignments.json", PackageResources.EntitlementAssignments_json),
    document("Role.json", PackageResources.Role_json),
    document("RoleAssignments.json", PackageResources.RoleAssignments_json),
    document("types/Characteristic.type.json", PackageResources.Characteristic_type_json),
  ]

  private static func document(_ name: String, _ bytes: [UInt8]) -> SchemaDocument {
    SchemaDocument(name: name, data: Data(bytes))
  }

  /// The documents of what an organisation has only where it is set so: `optional/Grants.json`.
  public static let optionalDocuments: [SchemaDocument] = [
    document("optional/Grants.json", PackageResources.Grants_json)
  ]

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
  public static let discoveryDocuments: [SchemaDocument] = [
    document("discovery/ResourceType.json", PackageResources.ResourceType_json),
    document("discovery/Schema.json", PackageResources.Schema_json),
    document("discovery/ServiceProviderConfig.json", PackageResources.ServiceProviderConfig_json),
  ]

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
