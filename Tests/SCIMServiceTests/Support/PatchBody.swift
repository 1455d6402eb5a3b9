import SCIMCore

/// PatchOp messages (RFC 7644 section 3.5.2).
enum PatchBody {
  static let schema = "urn:ietf:params:scim:api:messages:2.0:PatchOp"

  static func make(_ operations: [(op: String, path: String?, value: JSON?)]) -> JSON {
    let list = operations.map { entry -> JSON in
      var operation = JSONObject()
      operation["op"] = .string(entry.op)
      if let path = entry.path { operation["path"] = .string(path) }
      if let value = entry.value { operation["value"] = value }
      return .object(operation)
    }
    return ["schemas": [.string(schema)], "Operations": .array(list)]
  }

  static func replace(_ path: String, _ value: JSON) -> JSON { make([("replace", path, value)]) }
}
