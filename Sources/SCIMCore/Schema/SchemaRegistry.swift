import Synchronization

/// The schemas and resource types that one organisation has; immutable, shared by all who answer for it.
public final class SchemaRegistry: Sendable {
  public let schemas: [SchemaDefinition]
  public let types: [ResourceType]
  /// The revision of the organisation's own definitions that it was made of; 0 where there are none.
  public let revision: Int64
  /// The settings of the organisation that the built-in ones are made for.
  public let settings: SchemaSettings
  /// The built-in types that are left out, since definitions of the organisation's own have their names or endpoints.
  private let leftOut: Set<String>
  /// Stored definitions that are left out since they cannot be read.
  public let unreadable: [UnreadableDefinition]
  private let variants = Mutex<[SchemaSettings: SchemaRegistry]>([:])
  private let typesByName: [String: ResourceType]
  private let typesByEndpoint: [String: ResourceType]
  private let typesByFoldedEndpoint: [String: ResourceType]
  private let schemasByID: [String: SchemaDefinition]

  /// Makes a registry of definitions that have been cross-checked: names, endpoints and URNs are unique.
  public init(
    schemas: [SchemaDefinition], types: [ResourceType], settings: SchemaSettings = .standard, revision: Int64 = 0,
    leftOut: Set<String> = [], unreadable: [UnreadableDefinition] = []
  ) {
    self.settings = settings
    self.leftOut = leftOut
    self.unreadable = unreadable
    self.schemas = schemas
    self.revision = revision
    self.types = types
    typesByName = Dictionary(types.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    typesByEndpoint = Dictionary(types.map { ($0.endpoint, $0) }, uniquingKeysWith: { first, _ in first })
    typesByFoldedEndpoint = Dictionary(
      types.map { (ASCII.lowercase($0.endpoint), $0) }, uniquingKeysWith: { first, _ in first })
    schemasByID = Dictionary(
      schemas.map { (ASCII.lowercase($0.id), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// This one as other settings have it, made once for each.
  func variant(
    _ settings: SchemaSettings, _ make: (SchemaRegistry) throws(SchemaError) -> SchemaRegistry
  ) throws(SchemaError) -> SchemaRegistry {
    if let made = variants.withLock({ $0[settings] }) { return made }
    let made = try make(self)
    // Two threads may have made one each: the first one stays.
    return variants.withLock { variants in
      let kept = variants[settings] ?? made
      variants[settings] = kept
      return kept
    }
  }

  public func type(named name: String) -> ResourceType? { typesByName[name] }

  /// The same registry with the names in the index that its organisation's types have (`ResourceType.secondNames`).
  public func named(_ secondNames: [String: Set<String>]) -> SchemaRegistry {
    if secondNames.isEmpty { return self }
    return SchemaRegistry(
      schemas: schemas, types: types.map { $0.named(secondNames[$0.name] ?? []) }, settings: settings,
      revision: revision, leftOut: leftOut, unreadable: unreadable)
  }

  /// The same registry, of another revision of the definitions.
  func at(_ revision: Int64) -> SchemaRegistry {
    if revision == self.revision { return self }
    return SchemaRegistry(
      schemas: schemas, types: types, settings: settings, revision: revision, leftOut: leftOut, unreadable: unreadable)
  }

  /// How many attributes the types have together that are the organisation's own or extended by it.
  ///
  /// - Parameter base: what is built in, with the same settings.
  public func ownAttributes(beyond base: SchemaRegistry) -> Int {
    types.reduce(0) { sum, type in
      // By what it is made of: one that is built in may have other names in the index.
      if let builtIn = base.type(named: type.name), builtIn.schema === type.schema,
        builtIn.extensions.map({ ObjectIdentifier($0.schema) }) == type.extensions.map({ ObjectIdentifier($0.schema) })
      {
        return sum
      }
      return sum + type.attributeCount
    }
  }

  /// The type of that name where it is built in, for the organisation whose registry this is; else nil.
  ///
  /// - Parameter base: the registry of what is built in.
  public func builtInType(named name: String, of base: SchemaRegistry) -> ResourceType? {
    leftOut.contains(name) ? nil : base.type(named: name)
  }

  /// The type at an endpoint such as `/Users`; in any ASCII letter case where `ignoringCase`.
  public func type(at endpoint: String, ignoringCase: Bool = false) -> ResourceType? {
    if let exact = typesByEndpoint[endpoint] { return exact }
    return ignoringCase ? typesByFoldedEndpoint[ASCII.lowercase(endpoint)] : nil
  }

  /// The schema with that URN in any ASCII letter case.
  public func schema(id: String) -> SchemaDefinition? { schemasByID[ASCII.lowercase(id)] }

  /// The catalogue types whose base schema is that URN, in the order of the registry.
  public func catalogTypes(schema: String) -> [ResourceType] {
    types.filter { $0.isCatalog && $0.schema.id == schema }
  }
}
