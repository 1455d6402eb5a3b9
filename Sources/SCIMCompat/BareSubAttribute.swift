import SCIMCore

/// A part of a name without `name.` in front, as Internet2's Grouper sends it by default.
///
/// Sent:
///
///     {"op": "replace", "path": "familyName", "value": "Jensen"}
///
/// Read as:
///
///     {"op": "replace", "path": "name.familyName", "value": "Jensen"}
///
/// Only where the type has no attribute of that name, and exactly one single-valued complex attribute has such a
/// sub-attribute. Those that many attributes have (`value`, `type`) say nothing of which is meant.
enum BareSubAttribute {
  private static let common = ["value", "display", "type", "primary", "$ref"]

  static func mend(_ path: String, type: ResourceType, profile: Profile) -> String {
    guard path.utf8.allSatisfy({ $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "[") }),
      !common.contains(where: { ASCII.equalIgnoringCase($0, path) }),
      AttributeName.resolve(path, in: type, profile: profile) == nil
    else { return path }
    var found: [String] = []
    func look(in schema: SchemaDefinition, prefix: String) {
      for attribute in schema.attributes where attribute.type == .complex && !attribute.isMultiValued {
        guard let sub = attribute.subAttribute(named: path) else { continue }
        found.append(prefix + attribute.name + "." + sub.name)
      }
    }
    look(in: type.schema, prefix: "")
    for definition in type.extensions { look(in: definition.schema, prefix: definition.schema.id + ":") }
    return found.count == 1 ? found[0] : path
  }
}
