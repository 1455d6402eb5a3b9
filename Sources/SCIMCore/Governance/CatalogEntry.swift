/// A role or an entitlement as reports see it.
public struct CatalogEntry: Sendable, Equatable {
  /// The engine's own number of the resource; meaningless outside the store.
  public var handle: Int64
  /// The name of its type, for example `Characteristic`.
  public var type: String
  /// The URN of the type's base schema, which tells roles from entitlements.
  public var schema: String
  /// True where elements that name an entry may tell the types of that schema apart by `type`.
  public var isTyped: Bool
  public var id: String
  /// Its name; the id where it has none.
  public var display: String
  /// The word by which it is assigned where its id is not used (draft-ietf-scim-roles-entitlements).
  public var value: String?
  /// False where it takes no new assignments.
  public var isSupported: Bool
  /// How the entries that are parts of this one are named: by id, `value` or name.
  public var contains: [String]
  /// How the entries of which this one is a part are named.
  public var containedBy: [String]
  /// True where a resource is linked to it.
  public var isAssigned: Bool
  /// True where somebody holds it: by an assignment, or in a group that grants it.
  public var isHeld: Bool

  public init(
    handle: Int64, type: String, schema: String, isTyped: Bool = false, id: String, display: String,
    value: String? = nil, isSupported: Bool = true, contains: [String] = [], containedBy: [String] = [],
    isAssigned: Bool = false, isHeld: Bool = false
  ) {
    self.handle = handle
    self.type = type
    self.schema = schema
    self.isTyped = isTyped
    self.id = id
    self.display = display
    self.value = value
    self.isSupported = isSupported
    self.contains = contains
    self.containedBy = containedBy
    self.isAssigned = isAssigned
    self.isHeld = isHeld
  }

  /// Reads an entry from its stored document.
  public init(
    handle: Int64, id: String, document: JSONObject, type: ResourceType, isAssigned: Bool = false,
    isHeld: Bool = false
  ) {
    let settings = type.countedExtension.flatMap { document[$0]?.objectValue }
    func list(_ name: String) -> [String] {
      (settings?[name]?.arrayValue ?? []).compactMap(\.stringValue)
    }
    self.init(
      handle: handle, type: type.name, schema: type.schema.id,
      isTyped: type.schema.attribute(named: "type") != nil, id: id,
      display: DocumentIndex.display(of: document, type: type) ?? id, value: settings?["value"]?.stringValue,
      isSupported: settings?["supported"]?.boolValue ?? true, contains: list("contains"),
      containedBy: list("containedBy"), isAssigned: isAssigned, isHeld: isHeld)
  }

  /// `role` or `entitlement`: what the base schema is called.
  public var kind: String { Self.kind(ofSchema: schema) }

  /// The kind of the entries whose base schema that is: the last part of its URN in lower case.
  public static func kind(ofSchema urn: String) -> String {
    ASCII.lowercase(String(urn[(urn.lastIndex(of: ":").map(urn.index(after:)) ?? urn.startIndex)...]))
  }
}
