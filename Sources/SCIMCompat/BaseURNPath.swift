import SCIMCore

/// The URN of the base schema as a path, as some clients send it beside paths that are URNs of extensions.
///
/// Sent:
///
///     {"op": "replace", "path": "urn:ietf:params:scim:schemas:core:2.0:User", "value": {"title": "Lead"}}
///
/// Read as:
///
///     {"op": "replace", "value": {"title": "Lead"}}
enum BaseURNPath {
  static func mend(_ path: String, type: ResourceType) -> String? {
    ASCII.equalIgnoringCase(path, type.schema.id) ? nil : path
  }
}
