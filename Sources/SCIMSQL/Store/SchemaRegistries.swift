import SCIMCore

/// The registry of each organisation.
public struct SchemaRegistries: Sendable {
  private let provide: @Sendable (OrganizationID) -> SchemaRegistry

  public init(_ provide: @escaping @Sendable (OrganizationID) -> SchemaRegistry) {
    self.provide = provide
  }

  /// One registry for all.
  public init(_ registry: SchemaRegistry) {
    provide = { _ in registry }
  }

  public subscript(_ organization: OrganizationID) -> SchemaRegistry { provide(organization) }
}
