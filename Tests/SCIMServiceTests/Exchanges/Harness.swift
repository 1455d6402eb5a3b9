import Foundation
import HTTPServer
import SCIMCore
import SCIMSQL
import SCIMSQLite
import SCIMService
import Secrets

/// A service over a real database in a folder of its own, which goes when the harness does.
final class Harness: Sendable {
  let store: SQLStore
  let service: Service
  /// The path of the database.
  let database: String
  private let folder: URL
  private let ownsFolder: Bool

  init(
    registry: SchemaRegistry = BuiltInSchemas.registry, meter: WorkMeter? = nil,
    options: SQLStoreOptions = SQLStoreOptions(), engine: SQLiteOptions = SQLiteOptions(), in given: URL? = nil,
    workersRefuse refusal: SCIMError? = nil, configure: (inout ServiceConfiguration) -> Void = { _ in }
  ) throws {
    folder = given ?? FileManager.default.temporaryDirectory.appending(path: "roster-test-\(UUID().uuidString)")
    ownsFolder = given == nil
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    database = folder.appending(path: "roster.db").path
    let driver = SQLiteDriver(path: database, options: engine)
    let store = try SQLStore(driver: meter?.driver(over: driver) ?? driver, options: options, registry: registry)
    self.store = store
    let authenticator = MessageAuthenticator()
    var configuration = ServiceConfiguration(
      digest: { SecretDigest.sha256($0) },
      // The hash is made to be slow; its own tests show it. Here it only has to keep the password out of sight.
      hashPassword: { "test$" + SecretDigest.sha256($0).map { String($0, radix: 16) }.joined() },
      authenticate: { authenticator.tag(for: $0) },
      log: { FileHandle.standardError.write(Data("log: \($0)\n".utf8)) })
    configure(&configuration)
    service = Service(
      configuration: configuration, registry: registry, store: store
    ) { (organization, isAbandoned, refused, job) throws(SCIMError) in
      if let refusal { throw refusal }
      try store.workers.submit(for: organization, isAbandoned: isAbandoned, refused: refused, job)
    }
  }

  deinit {
    store.close()
    if ownsFolder { try? FileManager.default.removeItem(at: folder) }
  }

  /// A new organisation.
  func organization(
    _ name: String, catalog: Organization.Catalog = .open, grants: Bool = false
  ) throws -> Organization {
    try store.writeAndWait { (transaction) throws(SCIMError) in
      try transaction.createOrganization(name: name, catalog: catalog, grants: grants)
    }
  }

  /// A new key of an organisation; gives its secret.
  ///
  /// - Parameter notesUses: false for a key whose use makes no commit, now or a minute later.
  func key(
    of organization: Organization, role: KeyRole = .admin, profile: Profile = .interop, expires: Timestamp? = nil,
    revoked: Timestamp? = nil, notesUses: Bool = true
  ) throws -> String {
    let secret = APIKeySecret.generate()
    let key = APIKey(
      id: "key_" + ResourceID.make(), organization: organization.id, label: "test", role: role, profile: profile,
      created: .now, expires: expires, revoked: revoked,
      // In a year that no clock of a test comes to, so that a use is never later by a minute.
      lastUsed: notesUses ? nil : Timestamp(milliseconds: 200_000_000_000_000))
    try store.writeAndWait { (transaction) throws(SCIMError) in
      try transaction.createKey(key, digest: SecretDigest.sha256(secret))
    }
    return secret
  }

  /// Changes the database past the store.
  func execute(_ sql: String) throws {
    let connection = try SQLiteDriver(path: folder.appending(path: "roster.db").path).connect(.writer)
    defer { connection.close() }
    try connection.execute(sql)
  }

  /// True where the text stands in a file of the database.
  func databaseContains(_ text: String) throws -> Bool {
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
      if try Data(contentsOf: file).range(of: Data(text.utf8)) != nil { return true }
    }
    return false
  }

  /// Serves over a real socket on a port of its own until the server is stopped.
  func serve() throws -> Server {
    let service = service
    let server = Server(ServerConfiguration()) { _ in try service.makeResponder() }
    try server.start()
    return server
  }
}
