/// The PatchOp message (RFC 7644 section 3.5.2): from a body to its operations.
public enum PatchRequest {
  /// The URN of the message.
  public static let schema = "urn:ietf:params:scim:api:messages:2.0:PatchOp"
  /// How many operations one request may hold.
  public static let maximumOperations = 1000

  /// The operations of a body, in order.
  ///
  /// Names of members and the word in `op` are read in any ASCII letter case; members that the RFC does not know are
  /// passed over. A lenient profile also takes any `schemas` or none, the bare array of operations that RFC 7644
  /// section 3.7.3 prints as `data`, an empty array (no change) and an empty path (no path). Paths and values are not
  /// looked at here.
  ///
  /// Refuses with `invalidSyntax` what is no such message, with `payloadTooLarge` more than `maximumOperations`.
  ///
  ///     {"schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
  ///      "Operations": [{"op": "replace", "path": "title", "value": "Lead"}]}
  public static func parse(_ body: JSON, profile: Profile) throws(SCIMError) -> [PatchOperation] {
    let elements = try operations(of: body, profile: profile)
    guard elements.count <= maximumOperations else {
      throw SCIMError(
        .payloadTooLarge,
        "A PATCH request may have at most \(maximumOperations) operations; this one has \(elements.count).")
    }
    guard !elements.isEmpty || profile.isLenient else {
      throw SCIMError(.invalidSyntax, "'Operations' must contain at least one operation.")
    }
    var operations: [PatchOperation] = []
    operations.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      operations.append(try operation(element, number: index + 1, profile: profile))
    }
    return operations
  }

  private static func operations(of body: JSON, profile: Profile) throws(SCIMError) -> [JSON] {
    if case .array(let elements) = body, profile.isLenient { return elements }
    guard case .object(let message) = body else {
      throw SCIMError(.invalidSyntax, "The body of a PATCH request must be a PatchOp object.")
    }
    // The address and the method say what the message is; its URN is often misspelt.
    if !profile.isLenient {
      let urns = message.value(ignoringCase: "schemas")?.arrayValue ?? []
      guard urns.contains(where: { $0.stringValue.map { ASCII.equalIgnoringCase($0, schema) } ?? false }) else {
        throw SCIMError(.invalidSyntax, "'schemas' must contain '\(schema)'.", attribute: "schemas")
      }
    }
    guard case .array(let elements)? = message.value(ignoringCase: "Operations") else {
      throw SCIMError(.invalidSyntax, "'Operations' must be an array of operations.")
    }
    return elements
  }

  private static func operation(_ element: JSON, number: Int, profile: Profile) throws(SCIMError) -> PatchOperation {
    guard case .object(let object) = element else {
      throw SCIMError(.invalidSyntax, "Operation \(number) must be an object.")
    }
    guard case .string(let word)? = object.value(ignoringCase: "op") else {
      throw SCIMError(.invalidSyntax, "Operation \(number) must have an 'op': add, remove or replace.")
    }
    guard let kind = PatchOperation.Kind(rawValue: ASCII.lowercase(word)) else {
      throw SCIMError(.invalidSyntax, "The 'op' of operation \(number) must be add, remove or replace.")
    }
    var path: String?
    switch object.value(ignoringCase: "path") {
    case nil, .null?: break
    case .string("")? where profile.isLenient: break
    case .string(let text)?: path = text
    default: throw SCIMError(.invalidSyntax, "The 'path' of operation \(number) must be a text.")
    }
    return PatchOperation(kind, path: path, value: object.value(ignoringCase: "value"))
  }
}

extension JSONObject {
  /// The value of the first member of that name in any ASCII letter case.
  func value(ignoringCase name: String) -> JSON? {
    members.first { ASCII.equalIgnoringCase($0.key, name) }?.value
  }
}
