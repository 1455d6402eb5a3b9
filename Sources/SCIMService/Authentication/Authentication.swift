import HTTPMessage
import SCIMCore

/// Bearer keys (RFC 6750): the key alone names the organisation.
enum Authentication {
  /// The secret in an Authorization field; nil where the field is absent or of another scheme.
  static func secret(in headers: HeaderFields) -> String? {
    guard let value = headers["authorization"] else { return nil }
    let bytes = value.utf8
    let scheme = "bearer "
    guard bytes.count > scheme.utf8.count,
      zip(bytes, scheme.utf8).allSatisfy({ ASCII.lowercase($0) == $1 })
    else { return nil }
    let rest = bytes.dropFirst(scheme.utf8.count).drop { $0 == UInt8(ascii: " ") }
    return rest.isEmpty ? nil : String(Substring(rest))
  }

  /// The key and organisation that a request comes with.
  ///
  /// - Throws: `unauthorized`, in the same words whether the key is unknown, revoked or expired.
  static func authenticate(
    _ request: Request, digest: (String) -> [UInt8], reader: any StoreReader
  ) throws(SCIMError) -> (key: APIKey, organization: Organization) {
    guard let secret = secret(in: request.headers) else {
      throw SCIMError(.unauthorized, "This needs an Authorization header with a bearer key.")
    }
    guard let found = try reader.key(digest: digest(secret)), found.key.isValid(at: Timestamp.now) else {
      throw SCIMError(.unauthorized, "The bearer key is not valid.")
    }
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
      throw SCIMError(.forbidden, "Writing \(type.endpoint) needs a key with the role admin.")
    case .reader:
      throw SCIMError(.forbidden, "This key may read only.")
    }
  }
}
