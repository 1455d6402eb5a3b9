/// Which attributes of a resource an answer shows: `attributes` or `excludedAttributes` of the request against the
/// `returned` characteristics (RFC 7644 section 3.9, RFC 7643 section 7).
///
/// `id` and `schemas` are always shown, `returned: never` never. An attribute with `returned: request` is shown where
/// it is named, or where the write at hand sent it (`sent`).
public struct Projection: Sendable {
  enum Mode: Sendable {
    case standard
    case only(ProjectionNames)
    case without(ProjectionNames)
  }

  let mode: Mode
  /// Canonical paths of `returned: request` attributes that the request sent, as `requestPaths` gives them.
  public var sent: Set<String>

  /// Shows what is returned by default.
  public static let none = Projection(mode: .standard)

  private init(mode: Mode) {
    self.mode = mode
    sent = []
  }

  /// Reads the names of a request against one type.
  ///
  /// Each text holds one name or several between commas: `userName`, `name.givenName`, `meta.created`, with the URN of
  /// their schema or without, in any ASCII letter case. A URN alone stands for all of that schema. A value path such as
  /// `emails[type eq "work"]` stands for its attribute. Blank and unknown names are passed over; where only unknown
  /// attributes are asked for, the least is shown. Both lists together are 400 `invalidValue`.
  public init(
    attributes: [String], excluded: [String], type: ResourceType, profile: Profile, alias: AttributeName.Alias? = nil
  ) throws(SCIMError) {
    let shown = ProjectionNames.split(attributes)
    let hidden = ProjectionNames.split(excluded)
    guard shown.isEmpty || hidden.isEmpty else {
      throw SCIMError(.invalidValue, "'attributes' and 'excludedAttributes' exclude each other.")
    }
    if !shown.isEmpty {
      self.init(mode: .only(ProjectionNames(shown, type: type, profile: profile, alias: alias)))
    } else if !hidden.isEmpty {
      self.init(mode: .without(ProjectionNames(hidden, type: type, profile: profile, alias: alias)))
    } else {
      self.init(mode: .standard)
    }
  }

  /// True where a request named attributes; such a PATCH answers with the resource.
  public var isExplicit: Bool {
    if case .standard = mode { false } else { true }
  }

  /// True where every stored document of the type is shown whole: no names are given, and the type has nothing that
  /// is returned never or on request (but passwords, which no document holds).
  public func isDefault(for type: ResourceType) -> Bool {
    !isExplicit && type.isShownWhole
  }

  /// True where documents are shown whole and at most links are left out, none of which stands in a document.
  func keepsDocument(of type: ResourceType) -> Bool {
    guard type.isShownWhole else { return false }
    guard case .without(let names) = mode else { return !isExplicit }
    return names.isOnlyWholeAttributes
      && names.attributes.allSatisfy { name in
        switch type.link(for: name)?.kind {
        case .members, .memberOf: true
        case .catalog, nil: false
        }
      }
  }

  /// Which link attributes an answer needs.
  public func links(for type: ResourceType) -> LinkSelection {
    guard !type.links.isEmpty else { return .none }
    if isDefault(for: type) { return .all }
    let shown = type.links.filter { shows($0, of: type) }
    if shown.count == type.links.count { return .all }
    return shown.isEmpty ? .none : .only(Set(shown.map(\.attribute)))
  }

  /// The paths of what is returned on request and stands in a document that was just sent, for `sent`.
  public static func requestPaths(in document: JSONObject, type: ResourceType) -> Set<String> {
    guard !type.isShownWhole else { return [] }
    var paths: Set<String> = []
    func collect(_ object: JSONObject, _ definitions: [AttributeDefinition], _ prefix: String) {
      for definition in definitions {
        guard let value = object[definition.name] else { continue }
        let path = prefix + definition.name
        if definition.returned == .request { paths.insert(path) }
        for element in value.arrayValue ?? [value] {
          if let inner = element.objectValue { collect(inner, definition.subAttributes, path + ".") }
        }
      }
    }
    collect(document, type.schema.attributes, "")
    for definition in type.extensions {
      guard let content = document[definition.schema.id]?.objectValue else { continue }
      collect(content, definition.schema.attributes, definition.schema.id + ":")
    }
    return paths
  }

  // MARK: Decisions

  func shows(_ link: LinkDefinition, of type: ResourceType) -> Bool {
    if isDefault(for: type) { return true }
    guard let definition = type.definition(of: link) else { return false }
    return shows(definition, path: link.attribute, schema: link.extensionURN ?? ProjectionNames.base)
  }

  /// True where some of the attribute may be shown. `schema` is the URN of its extension, `ProjectionNames.base`, or nil
  /// for common attributes.
  func shows(_ definition: AttributeDefinition, path: String, schema: String? = nil) -> Bool {
    if definition.isNeverShown { return false }
    if definition.returned == .always { return true }
    let isStandard = definition.returned == .default || sent.contains(path)
    switch mode {
    case .standard: return isStandard
    case .only(let names):
      if names.attributes.contains(path) || names.subAttributes[path] != nil { return true }
      return definition.returned == .default && names.names(schema)
    case .without(let names):
      if names.attributes.contains(path) { return false }
      return isStandard && !names.names(schema)
    }
  }

  /// True where a sub-attribute of a shown attribute is shown.
  func showsSub(_ sub: AttributeDefinition, of path: String) -> Bool {
    if sub.isNeverShown { return false }
    if sub.returned == .always { return true }
    let isStandard = sub.returned == .default || sent.contains(path + "." + sub.name)
    switch mode {
    case .standard: return isStandard
    case .only(let names):
      if let subs = names.subAttributes[path] {
        if subs.contains(sub.name) { return true }
        return names.attributes.contains(path) && sub.returned == .default
      }
      return sub.returned == .default
    case .without(let names):
      return isStandard && !(names.subAttributes[path]?.contains(sub.name) ?? false)
    }
  }
}
