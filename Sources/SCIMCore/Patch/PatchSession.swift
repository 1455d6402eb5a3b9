/// The state of one PATCH request between its operations.
struct PatchSession {
  let type: ResourceType
  let profile: Profile
  let id: String
  let budget: WorkBudget
  var document: JSONObject
  var password: PatchedPassword = .keep
  var membership: [String: [MembershipChange]] = [:]
  /// True where the resource is not at hand: what needs it is passed over.
  var isJudging = false
  /// What elements of a catalogue attribute name.
  let catalog: Patcher.CatalogLookUp?
  /// What operations say that `schemas` is, to be held against what it comes to.
  var claims: [SchemasClaim] = []
  /// Names that no schema of the type has. Noted where the request is judged, once for each.
  let unknown = UnknownNames()

  private let render: () throws(SCIMError) -> JSONObject
  private var renderedResource: JSONObject?

  init(
    document: JSONObject, type: ResourceType, profile: Profile, id: String, budget: WorkBudget,
    catalog: Patcher.CatalogLookUp? = nil, rendered: @escaping () throws(SCIMError) -> JSONObject
  ) {
    self.type = type
    self.profile = profile
    self.id = id
    self.budget = budget
    self.catalog = catalog
    self.document = document
    render = rendered
  }

  mutating func apply(_ operation: PatchOperation) throws(SCIMError) {
    guard operation.kind == .remove || operation.value != nil else {
      throw SCIMError(.invalidValue, "An operation '\(operation.kind.rawValue)' must have a 'value'.")
    }
    guard let text = operation.path else {
      guard operation.kind != .remove else {
        throw SCIMError(.noTarget, "An operation 'remove' must have a 'path'.")
      }
      return try applyMembers(of: operation.value, kind: operation.kind)
    }
    let path = try PatchPath.parse(text, type: type, profile: profile)
    try apply(operation.kind, path: path, value: operation.value)
  }

  mutating func apply(_ kind: PatchOperation.Kind, path: PatchPath, value: JSON?) throws(SCIMError) {
    if let reference = path.reference {
      try apply(kind, to: PatchTarget(reference: reference, path: path), value: value)
    } else if let urn = path.extensionURN, let known = type.extension(urn: urn) {
      try applyExtension(kind, known, value: value)
    } else {
      throw SCIMError(.invalidPath, "The path names no attribute of \(type.name).")
    }
  }

  /// One operation on one attribute, wherever its name came from.
  mutating func apply(_ kind: PatchOperation.Kind, to target: PatchTarget, value: JSON?) throws(SCIMError) {
    let attribute = target.attribute
    let isPassword = target.reference.home == .core && attribute.isSecret
    if target.reference.home == .common, attribute.name == CommonAttributes.schemas.name {
      return try applySchemas(kind, to: target, value: value, hasPath: target.hasPath)
    }
    if target.reference.home == .core, case .members? = type.link(for: attribute.name)?.kind {
      return try applyMembership(kind, to: target, value: value)
    }
    if target.reference.leaf.mutability == .readOnly || attribute.mutability == .readOnly {
      return try applyReadOnly(kind, to: target, value: value)
    }
    if isPassword {
      return try applyPassword(kind, to: target, value: value)
    }
    if isJudging { return try change(kind, target).judge(value) }
    if target.filter != nil, !attribute.isMultiValued {
      guard try fits(target) else { return }
      return try apply(kind, to: PatchTarget(reference: target.reference), value: value)
    }
    if kind == .remove, attribute.isRequired, target.sub == nil, target.filter == nil, value ?? .null == .null {
      throw SCIMError(.mutability, "'\(target.name)' is required and cannot be removed.", attribute: target.name)
    }
    let present = self.value(of: target.reference)
    let next = try linked(
      changed(present, by: kind, at: target, value: value), from: present, by: kind, at: target, value: value)
    if attribute.mutability == .immutable, let present, next != present {
      throw SCIMError(.mutability, "'\(target.name)' cannot be changed once it has a value.", attribute: target.name)
    }
    if attribute.isRequired, next.map(ResourceValidator.isBlank) ?? true {
      throw SCIMError(
        kind == .remove ? .mutability : .invalidValue, "'\(target.name)' is required and cannot be empty.",
        attribute: target.name)
    }
    setValue(next, of: target.reference)
  }

  /// The new value of an attribute; nil where it is unassigned.
  private func changed(
    _ present: JSON?, by kind: PatchOperation.Kind, at target: PatchTarget, value: JSON?
  ) throws(SCIMError) -> JSON? {
    let change = self.change(kind, target)
    guard target.attribute.isMultiValued else { return try change.single(present, value: value) }
    guard change.isCatalog, kind == .remove else { return try change.list(present, value: value) }
    return try change.named().list(present, value: value)
  }

  private func change(_ kind: PatchOperation.Kind, _ target: PatchTarget) -> AttributeChange {
    AttributeChange(
      kind: kind, target: target, profile: profile, budget: budget, link: type.link(for: target.reference),
      catalog: catalog, unknown: unknown)
  }

  /// True where the value of a single-valued attribute fulfils the filter behind it. It is seen as clients see it: with
  /// what the server fills in.
  private mutating func fits(_ target: PatchTarget) throws(SCIMError) -> Bool {
    guard let filter = target.filter, var value = value(of: target.reference)?.objectValue else { return false }
    let filled = target.attribute.subAttributes.filter { $0.mutability == .readOnly || $0.name == "$ref" }
    if !filled.isEmpty {
      let resource = try rendered()
      var shown: JSON?
      switch target.reference.home {
      case .common, .core: shown = resource[target.attribute.name]
      case .extension(let urn): shown = resource[urn]?[target.attribute.name]
      }
      // What is filled in belongs to the value that was there at the beginning.
      if let shown, shown["value"] == value["value"] {
        for sub in filled where value[sub.name] == nil { value[sub.name] = shown[sub.name] }
      }
    }
    return FilterEvaluator.matches(filter, element: .object(value))
  }

  /// The password is known only to come and go: it is never in the document.
  private mutating func applyPassword(
    _ kind: PatchOperation.Kind, to target: PatchTarget, value: JSON?
  ) throws(SCIMError) {
    guard kind != .remove, let value,
      let plain = try ValueNormalizer.normalize(value, as: target.attribute, path: target.name, profile: profile)
    else {
      password = .clear
      return
    }
    guard case .string(let text) = plain else {
      throw SCIMError(.invalidValue, "'\(target.name)' must be a string.", attribute: target.name)
    }
    password = .set(text)
  }

  /// The resource as a client sees it.
  mutating func rendered() throws(SCIMError) -> JSONObject {
    if let renderedResource { return renderedResource }
    let resource = try render()
    renderedResource = resource
    return resource
  }

  // MARK: The document

  func value(of reference: AttributeReference) -> JSON? {
    switch reference.home {
    case .common, .core: document[reference.attribute.name]
    case .extension(let urn): document[urn]?[reference.attribute.name]
    }
  }

  mutating func setValue(_ value: JSON?, of reference: AttributeReference) {
    switch reference.home {
    case .common, .core: document[reference.attribute.name] = value
    case .extension(let urn):
      guard let place = document.members.firstIndex(where: { ASCII.equal($0.key, urn) }) else {
        if let value { document[urn] = [reference.attribute.name: value] }
        return
      }
      var values = document.members[place].value.objectValue ?? JSONObject()
      // The one who holds them changes them without copying all.
      document.members[place].value = .null
      values[reference.attribute.name] = value
      if values.isEmpty { document.members.remove(at: place) } else { document.members[place].value = .object(values) }
    }
  }

  /// The outcome, with the document in canonical order.
  ///
  /// - Throws: `mutability` where an operation asked for other `schemas` than follow from the attributes.
  func finish(from original: JSONObject) throws(SCIMError) -> PatchOutcome {
    let document = ResourceDocument.ordered(document, type: type)
    try check(claims, of: document)
    return PatchOutcome(
      document: document, isDocumentChanged: document != ResourceDocument.ordered(original, type: type),
      password: password, membership: membership)
  }
}
