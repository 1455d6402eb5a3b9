import HTTPMessage
import SCIMCore

/// Bearer keys (RFC 6750): the key alone names the organisation.
enum Authentication {
  /// The secret in an Authorization field; nil where the field is of another scheme.
  static func secret(in value: String) -> String? {
    let scheme: StaticString = "bearer "
    var rest = value.utf8[...]
    for index in 0..<scheme.utf8CodeUnitCount {
      guard let byte = rest.popFirst(), ASCII.lowercase(byte) == scheme.utf8Start[index] else { return nil }
    }
    while rest.first == UInt8(ascii: " ") { rest.removeFirst() }
    return rest.isEmpty ? nil : String(Substring(rest))
  }

  /// Whom a request comes from.
  enum Caller {
    case known(key: APIKey, organization: Organization)
    /// No valid key, for the reason given; the key where there is one that is not valid any more.
    case refused(RequestRecord.KeyRefusal, (key: APIKey, organization: Organization)?)
  }

  /// The caller that the key of a request names.
  static func caller(
    of request: Request, digests: inout DigestCache, reader: any StoreReader
  ) throws(SCIMError) -> Caller {
    let field = request.headers["authorization"]
    if let field, let digest = digests[field], let found = try reader.key(digest: digest), found.key.isValid(at: .now) {
      return .known(key: found.key, organization: found.organization)
    }
    guard let field else { return .refused(.missing, nil) }
    guard let secret = secret(in: field) else { return .refused(.malformed, nil) }
    let digest = digests.digest(of: secret)
    guard let found = try reader.key(digest: digest) else { return .refused(.unknown, nil) }
    let now = Timestamp.now
    guard found.key.isValid(at: now) else {
      let isRevoked = found.key.revoked.map { $0 <= now } ?? false
      return .refused(isRevoked ? .revoked : .expired, found)
    }
    digests[field] = digest
    return .known(key: found.key, organization: found.organization)
  }

  /// What a caller without a valid key is told: the same whether the key is unknown, revoked or expired.
  static func refusal(_ reason: RequestRecord.KeyRefusal) -> SCIMError {
    switch reason {
    case .missing, .malformed: SCIMError(.unauthorized, "This needs an Authorization header with a bearer key.")
    case .unknown, .expired, .revoked: SCIMError(.unauthorized, "The bearer key is not valid.")
    }
  }

  /// Checks that a key may write resources of that type.
  ///
  /// - Throws: `forbidden`.
  static func checkWrite(_ key: APIKey, to type: ResourceType) throws(SCIMError) {
    switch key.role {
    case .admin: return
    case .provisioner:
      guard type.isCatalog else { return }
      throw SCIMError(.forbidden, "Writing \(type.endpoint) needs a key with the role admin.")
    case .reader:
      throw SCIMError(.forbidden, "This key may read only.")
    }
  }
}
