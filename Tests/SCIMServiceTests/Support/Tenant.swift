import Foundation
import SCIMCore
import Testing

@testable import SCIMService

/// One organisation and a client with an admin key of it.
struct Tenant: Sendable {
  let harness: Harness
  let organization: Organization
  let client: Client

  init(
    _ harness: Harness, name: String = "acme.example", catalog: Organization.Catalog = .open, grants: Bool = false,
    role: KeyRole = .admin, profile: Profile = .interop, notesUses: Bool = true, wire: (any Wire)? = nil
  ) throws {
    self.harness = harness
    organization = try harness.organization(name, catalog: catalog, grants: grants)
    client = Client(
      wire: try wire ?? MemoryWire(service: harness.service),
      key: try harness.key(of: organization, role: role, profile: profile, notesUses: notesUses), harness: harness)
  }

  /// Changes the settings of the organisation as `roster org set` does.
  func change(_ body: (inout OrganizationChange) -> Void) throws {
    var change = OrganizationChange()
    body(&change)
    _ = try SettingsWriter(base: harness.service.context.registry).applyAndWait(
      change, to: harness.store.tenant(organization.id), pause: {})
  }

  /// Defines a type or an extension as `roster type add` does.
  func define(_ description: JSON) throws {
    let description = try TypeDescription(description, name: "a test")
    let writer = DefinitionWriter(base: harness.service.context.registry)
    try harness.store.tenant(organization.id).writeAndWait { (transaction) throws(SCIMError) in
      _ = try writer.add(description, in: transaction)
    }
  }

  /// A client with another key of the organisation.
  func client(role: KeyRole = .admin, profile: Profile = .interop) throws -> Client {
    Client(wire: client.wire, key: try harness.key(of: organization, role: role, profile: profile), harness: harness)
  }
}

/// Where the test data is.
enum Fixture {
  static func url(_ path: String, file: String = #filePath) -> URL {
    URL(filePath: file).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/\(path)")
  }

  /// The built-in registry with the definitions of a folder below `Tests/Fixtures`.
  static func registry(_ folder: String) throws -> SchemaRegistry {
    try SchemaLoader.load(directory: url(folder))
  }
}
