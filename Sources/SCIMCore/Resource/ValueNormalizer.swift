/// Brings the value of one attribute to the form in which it is stored: names as the schema spells them and in its
/// order, types checked, what the schema marks readOnly left out.
///
/// `path` names the attribute in errors, for example `emails` or `urn:…:User:manager`; values are never named. A value
/// that does not fit is 400 `invalidValue`; a sub-attribute that the schema lacks is left out (`strict`: 400
/// `invalidSyntax`). Suggested values (`canonicalValues`) are not enforced (RFC 7643 section 7).
///
/// A lenient profile also takes booleans and numbers as text, one value where a list is due and a list of one where one
/// value is due, and a bare text for a complex attribute that has a `value` sub-attribute: `"manager": "x"` becomes
/// `{"value": "x"}`. What it leaves out since the schema lacks it is noted in `unknown`.
enum ValueNormalizer {
  /// The whole value of an attribute; nil where it is unassigned.
  ///
  /// Unassigned are null, `[]`, a complex value without content, and a single complex value of which there is nothing
  /// but empty text around `value` (Entra's `"manager": ""` and `{"value": ""}`). Elements that are equal throughout
  /// are kept once (RFC 7643 section 2.4). Sub-attributes of an attribute that is readOnly itself are kept, so that it
  /// can be compared. An element that is marked as inherited is left out: it is derived, and nobody's to write.
  static func normalize(
    _ value: JSON, as definition: AttributeDefinition, path: String, profile: Profile,
    unknown: UnknownNames? = nil
  ) throws(SCIMError) -> JSON? {
    if value.isUnassigned { return nil }
    if profile.isLenient, !definition.isMultiValued, case .array(let elements) = value, elements.count == 1 {
      if case .array = elements[0] { throw mismatch(path, definition) }
      return try normalize(elements[0], as: definition, path: path, profile: profile, unknown: unknown)
    }
    if profile.isLenient, isEmptyText(value), takesBareText(definition) { return nil }
    guard definition.isMultiValued else {
      guard let single = try normalizeElement(value, as: definition, path: path, profile: profile, unknown: unknown),
        !isEmptyShell(single, of: definition)
      else { return nil }
      return single
    }
    guard case .array(let elements) = value else {
      guard profile.isLenient else { throw SCIMError(.invalidValue, "'\(path)' must be an array.", attribute: path) }
      return try normalizeElement(value, as: definition, path: path, profile: profile, unknown: unknown).map {
        .array([$0])
      }
    }
    var normalized: [JSON] = []
    normalized.reserveCapacity(elements.count)
    for element in elements {
      if let element = try normalizeElement(element, as: definition, path: path, profile: profile, unknown: unknown) {
        normalized.append(element)
      }
    }
    return normalized.isEmpty ? nil : .array(distinct(normalized))
  }

  /// One value of an attribute: an element where the attribute is multi-valued, else the value; nil where it has no
  /// content.
  static func normalizeElement(
    _ value: JSON, as definition: AttributeDefinition, path: String, profile: Profile,
    unknown: UnknownNames? = nil
  ) throws(SCIMError) -> JSON? {
    if case .null = value { return nil }
    guard definition.type == .complex else {
      guard let simple = SimpleValue.normalize(value, as: definition.type, isLenient: profile.isLenient) else {
        throw mismatch(path, definition)
      }
      return simple
    }
    switch value {
    case .object(let object):
      return try normalizeObject(object, as: definition, path: path, profile: profile, unknown: unknown).map {
        .object($0)
      }
    case .string where profile.isLenient && takesBareText(definition):
      let object = JSONObject([JSONObject.Member(key: "value", value: value)])
      return try normalizeObject(object, as: definition, path: path, profile: profile, unknown: unknown).map {
        .object($0)
      }
    default:
      throw mismatch(path, definition)
    }
  }

  /// True for an element that is marked as inherited.
  static func isInherited(_ element: JSON, of definition: AttributeDefinition, profile: Profile) -> Bool {
    guard let object = element.objectValue, let mark = definition.subAttributes.first(where: \.marksInherited) else {
      return false
    }
    return object.members.contains { member in
      ASCII.equalIgnoringCase(member.key, mark.name)
        && SimpleValue.normalize(member.value, as: .boolean, isLenient: profile.isLenient) == true
    }
  }

  private static func normalizeObject(
    _ object: JSONObject, as definition: AttributeDefinition, path: String, profile: Profile,
    unknown: UnknownNames? = nil
  ) throws(SCIMError) -> JSONObject? {
    var slots = AttributeSlots(count: definition.subAttributes.count)
    for member in object.members {
      guard let index = AttributeSlots.index(of: member.key, in: definition.subAttributes) else {
        if profile.isLenient {
          unknown?.note(member.key, in: path)
          continue
        }
        throw SCIMError(.invalidSyntax, "'\(path)' has no sub-attribute '\(excerpt(member.key))'.")
      }
      try slots.fill(index, with: member, under: path)
    }
    var members: [JSONObject.Member] = []
    members.reserveCapacity(object.members.count)
    for (sub, sent) in zip(definition.subAttributes, slots.values) {
      guard let sent, !sent.isUnassigned else { continue }
      if sub.mutability == .readOnly, definition.mutability != .readOnly {
        let isInherited = SimpleValue.normalize(sent, as: .boolean, isLenient: profile.isLenient) == true
        if sub.marksInherited, isInherited { return nil }
        continue
      }
      // The path of a simple sub-attribute is put together only where it is wrong: this runs for every value of every
      // element.
      let isSimple = sub.type != .complex && !sub.isMultiValued
      if isSimple, let simple = SimpleValue.normalize(sent, as: sub.type, isLenient: profile.isLenient) {
        members.append(JSONObject.Member(key: sub.name, value: simple))
      } else if let value = try normalize(
        sent, as: sub, path: path + "." + sub.name, profile: profile, unknown: unknown)
      {
        members.append(JSONObject.Member(key: sub.name, value: value))
      }
    }
    return members.isEmpty ? nil : JSONObject(members)
  }

  // MARK: What counts as empty

  private static func takesBareText(_ definition: AttributeDefinition) -> Bool {
    definition.type == .complex && definition.subAttribute(named: "value") != nil
  }

  private static func isEmptyText(_ value: JSON) -> Bool {
    value.stringValue?.isEmpty ?? false
  }

  /// True for an object that holds `value` and nothing but empty text.
  private static func isEmptyShell(_ value: JSON, of definition: AttributeDefinition) -> Bool {
    guard definition.type == .complex, let object = value.objectValue, object["value"] != nil else { return false }
    return object.members.allSatisfy { isEmptyText($0.value) }
  }

  /// The elements in order, each once.
  private static func distinct(_ elements: [JSON]) -> [JSON] {
    guard elements.count > 1 else { return elements }
    var seen = Set<JSON>(minimumCapacity: elements.count)
    return elements.filter { seen.insert($0).inserted }
  }

  // MARK: Errors

  private static func mismatch(_ path: String, _ definition: AttributeDefinition) -> SCIMError {
    SCIMError(.invalidValue, "'\(path)' must be \(SimpleValue.expectation(definition.type)).", attribute: path)
  }

  /// A name that the client sent, short enough to be repeated.
  static func excerpt(_ name: String) -> String {
    guard name.utf8.count > 80 else { return name }
    // Not by characters: one of them may have thousands of accents.
    var end = name.utf8.index(name.startIndex, offsetBy: 60)
    while end.samePosition(in: name.unicodeScalars) == nil { end = name.utf8.index(before: end) }
    return String(name[..<end]) + "…"
  }
}
