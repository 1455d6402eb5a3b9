/// What one operation makes of the value of one attribute that is kept in the document.
///
/// `single` and `list` take the present value and give the new one, nil meaning unassigned both times.
struct AttributeChange {
  let kind: PatchOperation.Kind
  var target: PatchTarget
  let profile: Profile
  let budget: WorkBudget
  /// What the elements are kept as, where they name resources of the catalogue.
  let link: LinkDefinition?
  /// Finds what such elements name.
  let catalog: Patcher.CatalogLookUp?
  let unknown: UnknownNames

  var isCatalog: Bool { link != nil }
  var definition: AttributeDefinition { target.attribute }

  /// The new value of a single-valued attribute.
  func single(_ present: JSON?, value: JSON?) throws(SCIMError) -> JSON? {
    if let sub = target.sub {
      let object = try setting(sub, of: present?.objectValue ?? JSONObject(), to: kind == .remove ? nil : value)
      return object.isEmpty ? nil : .object(object)
    }
    guard kind != .remove, let value, !value.isUnassigned else { return nil }
    let normalized = try ValueNormalizer.normalize(value, as: definition, path: target.name, profile: profile)
    guard definition.type == .complex else { return normalized }
    // A reference to nothing, as Entra takes a manager away: "" or {"value": ""}.
    let namesValue = value.objectValue.map { $0.value(ignoringCase: "value") != nil } ?? true
    if normalized == nil, namesValue, definition.subAttribute(named: "value") != nil { return nil }
    let merged = try merging(value, normalized?.objectValue ?? JSONObject(), into: present?.objectValue ?? JSONObject())
    return merged.isEmpty ? nil : .object(merged)
  }

  // MARK: Complex values

  /// The object with the sub-attributes given set, those given as null removed, and the others left (RFC 7644 section
  /// 3.5.2.3). `sent` is the value as sent, `normalized` what is stored of it.
  func merging(_ sent: JSON, _ normalized: JSONObject, into present: JSONObject) throws(SCIMError) -> JSONObject {
    var result = present
    if !profile.isLenient { try checkReadOnly(sent, present) }
    for member in sent.objectValue?.members ?? [] where member.value.isUnassigned {
      guard let sub = definition.subAttribute(named: member.key), sub.mutability != .readOnly else { continue }
      result = try assigning(nil, to: sub, of: result)
    }
    for member in normalized.members {
      guard let sub = definition.subAttribute(named: member.key) else { continue }
      result = try assigning(member.value, to: sub, of: result)
    }
    let isRenamed = present["value"] != nil && result["value"] != present["value"]
    return arranged(isRenamed ? withoutDerived(result, keeping: normalized) : result)
  }

  /// Refuses another value for what the server sets, as its path is refused.
  private func checkReadOnly(_ sent: JSON, _ present: JSONObject) throws(SCIMError) {
    for member in sent.objectValue?.members ?? [] {
      guard let sub = definition.subAttribute(named: member.key), sub.mutability == .readOnly,
        definition.mutability != .readOnly, present[sub.name] != member.value
      else { continue }
      throw SCIMError(
        .mutability, "'\(target.attributeName).\(sub.name)' is readOnly.", attribute: target.attributeName)
    }
  }

  /// The object with one sub-attribute set to a value as sent, or removed where that is unassigned; empty where
  /// nothing worth keeping is left.
  func setting(_ sub: AttributeDefinition, of present: JSONObject, to value: JSON?) throws(SCIMError) -> JSONObject {
    var normalized: JSON?
    if let value {
      normalized = try ValueNormalizer.normalize(value, as: sub, path: target.name, profile: profile)
    }
    // A single reference set to an empty text is taken away, as the whole attribute is.
    if profile.isLenient, sub.name == "value", !definition.isMultiValued, normalized == "" { normalized = nil }
    guard let normalized else {
      let rest = try assigning(nil, to: sub, of: present)
      // What held nothing but labels before has lost no address now.
      return rest != present && isShell(rest) && !isShell(present) ? JSONObject() : rest
    }
    let result = try assigning(normalized, to: sub, of: present)
    guard sub.name == "value", present["value"] != nil, result != present else { return arranged(result) }
    return arranged(withoutDerived(result, keeping: JSONObject()))
  }

  private func assigning(
    _ value: JSON?, to sub: AttributeDefinition, of object: JSONObject
  ) throws(SCIMError) -> JSONObject {
    let present = object[sub.name]
    var value = value
    if kind == .add, sub.isMultiValued, case .array(let known)? = present, case .array(let more)? = value {
      value = .array(known + more.filter { !known.contains($0) })
    }
    guard value != present else { return object }
    if sub.mutability == .immutable, present != nil {
      throw SCIMError(
        .mutability, "'\(target.attributeName).\(sub.name)' cannot be changed once it has a value.",
        attribute: "\(target.attributeName).\(sub.name)")
    }
    if sub.isRequired, value == nil || value == "" {
      throw SCIMError(
        kind == .remove ? .mutability : .invalidValue,
        "'\(target.attributeName).\(sub.name)' is required and cannot be empty.",
        attribute: "\(target.attributeName).\(sub.name)")
    }
    var result = object
    result[sub.name] = value
    return result
  }

  /// The object without what described the resource that its `value` named before: `$ref`, what is readOnly, and for a
  /// linked catalogue element the display.
  private func withoutDerived(_ object: JSONObject, keeping given: JSONObject) -> JSONObject {
    var result = object
    let wasLinked = isCatalog && object["$ref"] != nil
    for sub in definition.subAttributes where given[sub.name] == nil {
      if sub.name == "$ref" || sub.mutability == .readOnly || (wasLinked && sub.name == "display") {
        result[sub.name] = nil
      }
    }
    return result
  }

  /// True for an object of which only the labels are left: a `type` without address says nothing. The strict profile
  /// keeps such a rest, as the RFC's letter has it.
  private func isShell(_ object: JSONObject) -> Bool {
    guard profile.isLenient else { return object.isEmpty }
    let labels = ["type", "primary", "display", "$ref"]
    return object.members.allSatisfy { member in
      labels.contains(member.key) || definition.subAttribute(named: member.key)?.mutability == .readOnly
    }
  }

  /// The object with its members in the order of the schema.
  func arranged(_ object: JSONObject) -> JSONObject {
    var rest = object
    var members: [JSONObject.Member] = []
    for sub in definition.subAttributes {
      guard let value = rest[sub.name] else { continue }
      rest[sub.name] = nil
      members.append(JSONObject.Member(key: sub.name, value: value))
    }
    return JSONObject(members + rest.members)
  }
}
