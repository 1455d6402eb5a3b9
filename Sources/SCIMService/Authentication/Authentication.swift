import HTTPMessage
import SCIMCore

/// Bearer keys (RFC 6750): the key alone names the organisation.
enum Authentication {
  /// The secret in an Authorization field; nil where the field is of another scheme, or has more than one word behind it
  /// (RFC 6750 section 2.1), as where a client adds the scheme to what has it already.
  static func secret(in value: String) -> String? {
    let scheme: StaticString = "bearer "
    var rest = value.utf8[...]
    for index in 0..<scheme.utf8CodeUnitCount {
      guard let byte = rest.popFirst(), ASCII.lowercase(byte) == scheme.utf8Start[index] else { return nil }
    }
    while rest.first == UInt8(ascii: " ") { rest.removeFirst() }
    while rest.last == UInt8(ascii: " ") { rest.removeLast() }
    return rest.isEmpty || rest.contains(UInt8(ascii: " ")) ? nil : String(Substring(rest))
  }

  /// The key and organisation that a request comes with.
  ///
  /// - Parameter refused: told why there is no valid key, and the key where there is one that is not valid any more.
  /// - Throws: `unauthorized`, in the same words whether the key is unknown, revoked or expired.
  static func authenticate(
    _ request: Request, digests: inout DigestCache, reader: any StoreReader,
    refused: (RequestRecord.KeyRefusal, (key: APIKey, organization: Organization)?) -> Void = { _, _ in }
  ) throws(SCIMError) -> (key: APIKey, organization: Organization) {
    let field = request.headers["authorization"]
    if let field, let digest = digests[field], let found = try reader.key(digest: digest), found.key.isValid(at: .now) {
      return found
    }
    guard let field, let secret = secret(in: field) else {
      refused(field == nil ? .missing : .malformed, nil)
      throw SCIMError(.unauthorized, "An Authorization header with a bearer key is required.")
    }
    let digest = digests.digest(of: secret)
    let found = try reader.key(digest: digest)
    let now = Timestamp.now
    guard let found, found.key.isValid(at: now) else {
      let isRevoked = found?.key.revoked.map { $0 <= now } ?? false
      refused(found == nil ? .unknown : isRevoked ? .revoked : .expired, found)
      throw SCIMError(.unauthorized, "The bearer key is not valid.")
    }
    digests[field] = digest
    return found
  }

  /// Checks that a key may write resources of that type.
  ///
  /// - Throws: `forbidden`.
  static func checkWrite(_ key: APIKey, to type: ResourceType) throws(SCIMError) {
    switch key.role {
    case .admin: return
    case .provisioner:
      guard type.isCatalog else { return }
      throw SCIMError(.forbidden, "Writing \(type.endpoint) requires a key with the role admin.")
    case .reader:
      throw SCIMError(.forbidden, "This key may only read.")
    }
  }
}
