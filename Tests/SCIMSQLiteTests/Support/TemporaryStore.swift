import Foundation
import SCIMCore
import SCIMSQL
import SCIMSQLite

/// A store in a directory of its own, which goes with it.
final class TemporaryStore {
  let directory: URL
  let path: String
  let store: SQLStore
  /// What its organisations have.
  let registry: SchemaRegistry
  private let grants: Bool
  private var isClosed = false

  init(
    options: SQLStoreOptions = SQLStoreOptions(), registry: SchemaRegistry = BuiltInSchemas.registry,
    grants: Bool = false
  ) throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("roster-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    path = directory.appendingPathComponent("test.db").path
    self.registry = try GroupGrants.added(to: registry, where: grants)
    self.grants = grants
    // Durability is the engine's; the tests of it ask for it.
    store = try SQLiteStore.open(
      path: path, options: SQLiteOptions(synchronous: .off), store: options, registry: registry)
  }

  deinit {
    close()
    try? FileManager.default.removeItem(at: directory)
  }

  func close() {
    if !isClosed { store.close() }
    isClosed = true
  }

  func organization(_ name: String = "gridco.example") throws -> OrganizationID {
    let grants = grants
    return try store.writeAndWait { (transaction) throws(SCIMError) in
      try transaction.createOrganization(name: name, catalog: .open, grants: grants).id
    }
  }

  func type(_ name: String) throws -> ResourceType {
    guard let type = registry.type(named: name) else { throw SCIMError(.internalError, "no type \(name)") }
    return type
  }

  @discardableResult
  func create(
    _ typeName: String, _ document: JSON, id: String? = nil, in organization: OrganizationID
  ) throws -> StoredResource {
    let type = try type(typeName)
    let object = Fixture.document(document, type: type)
    return try store.writeAndWait { (transaction) throws(SCIMError) in
      try transaction.tenantTransaction(organization).create(type: type, id: id, document: object, passwordHash: nil)
    }
  }

  @discardableResult
  func link(
    _ owner: StoredResource, _ attribute: String, to target: StoredResource, extra: JSONObject = JSONObject(),
    in organization: OrganizationID
  ) throws -> Bool {
    let (from, to) = (owner.handle, target.handle)
    return try store.writeAndWait { (transaction) throws(SCIMError) in
      try transaction.tenantTransaction(organization).link(owner: from, attribute: attribute, target: to, extra: extra)
    }
  }
}

enum Fixture {
  /// The document with its `schemas` in front.
  static func document(_ json: JSON, type: ResourceType) -> JSONObject {
    ResourceDocument.ordered(json.objectValue ?? JSONObject(), type: type)
  }

  static func text(_ resource: StoredResource) -> String { String(decoding: resource.document, as: UTF8.self) }
}
