/// Checks what a resource must fulfil as a whole, after POST, PUT and PATCH alike.
public enum ResourceValidator {
  /// Checks that what is required is there and that no attribute has two primary values.
  ///
  /// `document` and `links` are as in `NormalizedResource`; a catalogue attribute may have elements in both. A required
  /// attribute or sub-attribute that is missing or a blank text, a required extension without content, and a second
  /// `primary: true` are 400 `invalidValue` naming the attribute. What the server itself sets (readOnly) and passwords
  /// are not looked for.
  public static func validate(
    document: JSONObject, links: [String: [JSONObject]], type: ResourceType
  ) throws(SCIMError) {
    var members = MemberFinder(document)
    for definition in type.schema.attributes where !definition.isCommon && !definition.isSecret {
      let linked = links[definition.name] ?? []
      if linked.isEmpty {
        try check(members.value(of: definition.name), definition, prefix: "")
      } else {
        let stored = members.value(of: definition.name)?.arrayValue ?? []
        try check(.array(linked.map(JSON.object) + stored), definition, prefix: "")
      }
    }
    for definition in type.extensions {
      let schema = definition.schema
      var content = document[schema.id]?.objectValue ?? JSONObject()
      for link in type.links where link.extensionURN == schema.id {
        guard let linked = links[link.attribute], !linked.isEmpty else { continue }
        content[link.name] = .array(linked.map(JSON.object) + (content[link.name]?.arrayValue ?? []))
      }
      guard !content.isEmpty else {
        if definition.isRequired {
          throw SCIMError(.invalidValue, "The extension '\(schema.id)' is required.", attribute: schema.id)
        }
        continue
      }
      var members = MemberFinder(content)
      let prefix = schema.id + ":"
      for attribute in schema.attributes { try check(members.value(of: attribute.name), attribute, prefix: prefix) }
    }
  }

  private static func check(
    _ value: JSON?, _ definition: AttributeDefinition, prefix: String
  ) throws(SCIMError) {
    if definition.isRequired, definition.mutability != .readOnly, isMissing(value) {
      throw SCIMError(
        .invalidValue, "'\(prefix)\(definition.name)' is required and must have a value.",
        attribute: prefix + definition.name)
    }
    guard let value, definition.type == .complex else { return }
    if case .array(let elements) = value {
      var primaries = 0
      for element in elements {
        try checkSubAttributes(of: element, definition, prefix: prefix)
        if element["primary"] == true { primaries += 1 }
      }
      if primaries > 1 {
        throw SCIMError(
          .invalidValue, "'\(prefix)\(definition.name)' may have only one primary value.",
          attribute: prefix + definition.name)
      }
    } else {
      try checkSubAttributes(of: value, definition, prefix: prefix)
    }
  }

  private static func checkSubAttributes(
    of value: JSON, _ definition: AttributeDefinition, prefix: String
  ) throws(SCIMError) {
    for sub in definition.subAttributes
    where sub.isRequired && sub.mutability != .readOnly && isMissing(value[sub.name]) {
      throw SCIMError(
        .invalidValue, "'\(prefix)\(definition.name).\(sub.name)' is required and must have a value.",
        attribute: "\(prefix)\(definition.name).\(sub.name)")
    }
  }

  private static func isMissing(_ value: JSON?) -> Bool {
    guard let value else { return true }
    return value.isUnassigned || isBlank(value)
  }

  /// True for text in which there is nothing to be seen: none at all, or only blanks and invisible characters.
  ///
  /// For what is required such text is as good as none: nobody could tell two of them apart.
  static func isBlank(_ value: JSON) -> Bool {
    guard case .string(let text) = value else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      if scalar.isASCII { return scalar.value <= 0x20 || scalar.value == 0x7F }
      return scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
    }
  }
}

extension ResourceValidator {
  /// Checks that what is `immutable` and has a value keeps it (RFC 7643 section 7); an immutable attribute without one
  /// may be set once. Another value, or none, is 400 `mutability` naming the attribute.
  ///
  /// Covers attributes and the sub-attributes of single complex ones. In a list elements come and go, and which of
  /// them is which cannot be told.
  public static func checkImmutable(
    old: JSONObject, new: JSONObject, type: ResourceType
  ) throws(SCIMError) {
    try checkImmutable(old: old, new: new, type.schema.attributes, prefix: "")
    for definition in type.extensions {
      guard let before = old[definition.schema.id]?.objectValue else { continue }
      let after = new[definition.schema.id]?.objectValue ?? JSONObject()
      try checkImmutable(
        old: before, new: after, definition.schema.attributes, prefix: definition.schema.id + ":")
    }
  }

  private static func checkImmutable(
    old: JSONObject, new: JSONObject, _ definitions: [AttributeDefinition], prefix: String
  ) throws(SCIMError) {
    var members = (old: MemberFinder(old), new: MemberFinder(new))
    for definition in definitions {
      guard let before = members.old.value(of: definition.name), !before.isUnassigned else { continue }
      let after = members.new.value(of: definition.name)
      if definition.mutability == .immutable, before != after {
        throw SCIMError(
          .mutability, "'\(prefix)\(definition.name)' cannot be changed once it has a value.",
          attribute: prefix + definition.name)
      }
      if case .object(let inner) = before {
        try checkImmutable(
          old: inner, new: after?.objectValue ?? JSONObject(), definition.subAttributes,
          prefix: prefix + definition.name + ".")
      }
    }
  }
}
