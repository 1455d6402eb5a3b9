/// What an organisation is about to change of its definitions, or of the settings by which its schemas are made.
public struct DefinitionChange: Sendable {
  public var put: [Definition]
  public var remove: [Definition]
  /// Nil where it stays.
  public var groupNames: Organization.Uniqueness?
  /// Nil where it stays.
  public var externalIDs: Organization.Uniqueness?
  /// True where what is in the way goes: resources whose type goes, and values whose extension goes.
  public var isForced: Bool

  public init(
    put: [Definition] = [], remove: [Definition] = [], groupNames: Organization.Uniqueness? = nil,
    externalIDs: Organization.Uniqueness? = nil, isForced: Bool = false
  ) {
    self.put = put
    self.remove = remove
    self.groupNames = groupNames
    self.externalIDs = externalIDs
    self.isForced = isForced
  }

  /// The organisation's definitions after it.
  public func applied(to definitions: [Definition]) -> [Definition] {
    var definitions = definitions.filter { known in
      !remove.contains { $0.kind == known.kind && $0.name == known.name }
    }
    for definition in put {
      if let index = definitions.firstIndex(where: { $0.kind == definition.kind && $0.name == definition.name }) {
        definitions[index].document = definition.document
      } else {
        definitions.append(definition)
      }
    }
    return definitions
  }

  /// The organisation's settings after it.
  public func applied(to settings: SchemaSettings) -> SchemaSettings {
    var settings = settings
    settings.groupNames = groupNames ?? settings.groupNames
    settings.externalIDs = externalIDs ?? settings.externalIDs
    return settings
  }
}

extension DefinitionChange {
  /// The change as the store keeps it.
  public var json: JSON {
    func list(_ definitions: [Definition]) -> JSON {
      .array(
        definitions.map {
          ["kind": .string($0.kind.rawValue), "name": .string($0.name), "document": .object($0.document)]
        })
    }
    return [
      "put": list(put), "remove": list(remove), "force": .bool(isForced),
      "groupNames": groupNames.map { .string($0.rawValue) } ?? .null,
      "externalIDs": externalIDs.map { .string($0.rawValue) } ?? .null,
    ]
  }

  /// Reads what `json` gave; nil for something else.
  public init?(_ json: JSON) {
    func list(_ member: String) -> [Definition]? {
      json[member]?.arrayValue?.compactMap { entry in
        guard let kind = entry["kind"]?.stringValue.flatMap(Definition.Kind.init),
          let name = entry["name"]?.stringValue,
          let document = entry["document"]?.objectValue
        else { return nil }
        return Definition(kind: kind, name: name, document: document)
      }
    }
    guard let put = list("put"), let remove = list("remove") else { return nil }
    self.init(
      put: put, remove: remove,
      groupNames: json["groupNames"]?.stringValue.flatMap(Organization.Uniqueness.init),
      externalIDs: json["externalIDs"]?.stringValue.flatMap(Organization.Uniqueness.init),
      isForced: json["force"] == true)
  }
}
