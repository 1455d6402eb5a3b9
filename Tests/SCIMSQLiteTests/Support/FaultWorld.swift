import Foundation
import SCIMCore
import SCIMSQL
import SCIMSQLite
import Testing

/// A database, made once, of which each test gets a copy with an engine that can fail.
final class FaultTemplate {
  private let directory: URL
  private let organization: OrganizationID
  private var copies = 0

  init(hasData: Bool) throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("roster-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let store = try SQLiteStore.open(
      path: directory.appendingPathComponent("template.db").path, options: SQLiteOptions(synchronous: .off),
      registry: BuiltInSchemas.registry)
    defer { store.close() }
    organization = try store.writeAndWait { (transaction) throws(SCIMError) in
      let id = try transaction.createOrganization(name: FaultWorld.name, catalog: .open).id
      _ = try transaction.createOrganization(name: "other.example", catalog: .open)
      return id
    }
    if hasData { try FaultWorld.fill(store, organization) }
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  func world() throws -> FaultWorld {
    copies += 1
    let path = directory.appendingPathComponent("copy\(copies).db")
    try FileManager.default.copyItem(at: directory.appendingPathComponent("template.db"), to: path)
    return try FaultWorld(path: path, organization: organization)
  }
}

/// An open copy with what writes of tests need.
final class FaultWorld: Sendable {
  static let name = "gridco.example"

  let store: SQLStore
  let engine = FailingEngine()
  let organization: OrganizationID
  let user: ResourceType
  let group: ResourceType
  let role: ResourceType
  private let path: URL

  init(path: URL, organization: OrganizationID) throws {
    self.path = path
    self.organization = organization
    let types = BuiltInSchemas.registry
    user = try #require(types.type(named: "User"))
    group = try #require(types.type(named: "Group"))
    role = try #require(types.type(named: "Role"))
    store = try SQLStore(
      driver: engine.driver(over: SQLiteDriver(path: path.path, options: SQLiteOptions(synchronous: .off))),
      options: SQLStoreOptions(workers: 1), registry: types)
  }

  deinit {
    store.close()
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path.path + suffix) }
  }

  /// Three users, a group with one of them and one more, and a type of the organisation's own.
  static func fill(_ store: SQLStore, _ organization: OrganizationID) throws {
    try store.writeAndWait { (transaction) throws(SCIMError) in
      let types = BuiltInSchemas.registry
      guard let user = types.type(named: "User"), let group = types.type(named: "Group") else { return }
      let team = try transaction.tenantTransaction(organization).create(
        type: group, id: nil, document: Fixture.document(["displayName": "team"], type: group), passwordHash: nil)
      for name in ["ada", "bob", "eve"] {
        let made = try transaction.tenantTransaction(organization).create(
          type: user, id: name, document: Fixture.document(["userName": .string(name)], type: user),
          passwordHash: nil)
        guard name == "eve" else { continue }
        _ = try transaction.tenantTransaction(organization).link(
          owner: team.handle, attribute: "members", target: made.handle, extra: JSONObject())
      }
      let (schema, type) = definitions("kept")
      try transaction.tenantTransaction(organization).putDefinition(
        kind: .schema, name: schema["id"]?.stringValue ?? "", document: schema)
      try transaction.tenantTransaction(organization).putDefinition(kind: .type, name: "Tkept", document: type)
    }
  }

  static func definitions(_ tag: String) -> (schema: JSONObject, type: JSONObject) {
    let urn = "urn:example:\(tag)"
    let schema: JSON = [
      "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Schema"], "id": .string(urn), "name": .string(tag),
      "attributes": [["name": "displayName", "type": "string"]],
    ]
    let type: JSON = [
      "schemas": ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"], "name": .string("T" + tag),
      "endpoint": .string("/T" + tag), "schema": .string(urn),
    ]
    return (schema.objectValue ?? JSONObject(), type.objectValue ?? JSONObject())
  }

  /// Writes and waits; true where it was acknowledged.
  func write(_ name: String, _ body: @escaping @Sendable (any StoreTransaction) throws(SCIMError) -> Void) -> Bool {
    do throws(SCIMError) {
      try store.writeAndWait(body)
      return true
    } catch {
      return false
    }
  }

  // MARK: Documents

  func document(_ name: String) -> JSONObject {
    Fixture.document(
      ["userName": .string(name), "title": .string("title " + name), "nickName": .string(name)], type: user)
  }

  func named(_ name: String, _ type: ResourceType) -> JSONObject {
    Fixture.document(["displayName": .string(name)], type: type)
  }

  func object(_ resource: StoredResource) throws(SCIMError) -> JSONObject {
    guard let object = try? JSON(parsing: resource.document).objectValue else {
      throw SCIMError(.internalError, "no object")
    }
    return object
  }

  // MARK: Looking

  /// True where each filter finds one resource; an issue where one does and another does not.
  func finds(
    _ filters: String..., type: ResourceType? = nil, by reader: any StoreReader
  ) throws(SCIMError) -> Bool {
    let type = type ?? user
    var found: [Int] = []
    for text in filters {
      let filter = try ResolvedFilter(parsing: text, type: type, profile: .interop)
      let query = SearchQuery(parts: [.init(type: type, filter: filter)], window: .index(offset: 0, count: 10))
      found.append(try reader.tenant(organization).search(query).total)
    }
    #expect(Set(found).count == 1, "\(filters) find \(found)")
    #expect(found.allSatisfy { $0 <= 1 }, "\(filters) find \(found)")
    return found.first == 1
  }

  func stored(_ id: String, _ reader: any StoreReader) throws(SCIMError) -> StoredResource {
    guard let found = try reader.tenant(organization).resource(id: id, type: user, links: .none) else {
      throw SCIMError(.notFound, id)
    }
    return found
  }

  func stored(_ name: String, _ type: ResourceType, _ reader: any StoreReader) throws(SCIMError) -> StoredResource {
    let filter = try ResolvedFilter(parsing: "displayName eq \"\(name)\"", type: type, profile: .interop)
    let query = SearchQuery(
      parts: [.init(type: type, filter: filter)], window: .index(offset: 0, count: 1), links: .all)
    guard let found = try reader.tenant(organization).search(query).resources.first else {
      throw SCIMError(.notFound, name)
    }
    return found
  }

  /// The ids of the team's members.
  func members(_ reader: any StoreReader) throws(SCIMError) -> [String] {
    try stored("team", group, reader).links.filter { $0.attribute == "members" }.map(\.id)
  }
}

extension FaultWorld {
  /// What a change of the organisation's definitions means.
  func plan(_ change: DefinitionChange, _ reader: any StoreReader) throws(SCIMError) -> PendingChange {
    let (definitions, registry) = (
      try reader.tenant(organization).definitions(), try reader.tenant(organization).registry()
    )
    do throws(SchemaError) {
      return try PendingChange(change, of: definitions, from: registry, base: BuiltInSchemas.registry)
    } catch {
      throw SCIMError(.internalError, error.description)
    }
  }
}
