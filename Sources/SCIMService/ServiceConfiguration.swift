import HTTPMessage
import SCIMCore

/// What the service needs to know and what it borrows from outside: limits, addresses, cryptography, the log.
public struct ServiceConfiguration: Sendable {
  /// The base of all URIs in answers, without a slash at its end, such as `https://scim.acme.example/scim/v2`; nil
  /// derives it from each request's Host.
  public var baseURL: String?
  /// True where `X-Forwarded-Proto`, `-Host` and `-Prefix` come from a proxy of ours and count.
  public var trustsProxy = false
  /// The address of a manual that ServiceProviderConfig names; nil where there is none.
  public var documentationURI: String?
  /// Resources on a page where the client names no count.
  public var defaultPageSize = 100
  /// The most resources on a page.
  public var maxPageSize = 1000
  /// The longest body of one resource, in bytes.
  public var maxBodySize = 1 << 20
  /// The most operations of one Bulk request.
  public var bulkMaxOperations = 1000
  /// The most different passwords that one Bulk request may set: each takes some 20 ms and much memory, on purpose.
  public var bulkMaxPasswords = 100
  /// The longest body of a Bulk request, in bytes.
  public var bulkMaxPayloadSize = 1 << 20
  /// The most members of a Group that a PATCH answers with 200 unasked; above it answers 204.
  public var maxMembersInPatchAnswer = 1000
  /// The most requests a second of one organisation, at least 25; nil sets no limit. Above it: 429 with Retry-After.
  public var requestsPerSecond: Int?
  /// How many passwords are hashed at a time.
  public var passwordThreads = 1
  /// How long a cursor is good for, in seconds.
  public var cursorTimeout = 3600

  /// The SHA-256 digest of a key's secret, under which the store keeps the key.
  public var digest: @Sendable (String) -> [UInt8]
  /// A memory-hard hash of a password in its text form; takes its time, so it runs on a thread for it alone.
  public var hashPassword: @Sendable (String) throws(SCIMError) -> String
  /// A keyed digest (HMAC) under a secret of this server, which makes cursors unforgeable.
  public var authenticate: @Sendable ([UInt8]) -> [UInt8]
  /// True for an organisation whose clients have left so much unread that nothing long is begun for it.
  public var isHeldBack: @Sendable (OrganizationID) -> Bool = { _ in false }
  /// Takes one record for each fault of the server itself.
  public var log: @Sendable (FaultRecord) -> Void
  /// Takes one record for each answered request; nil records none.
  public var record: (@Sendable (RequestRecord) -> Void)?

  public init(
    digest: @escaping @Sendable (String) -> [UInt8],
    hashPassword: @escaping @Sendable (String) throws(SCIMError) -> String,
    authenticate: @escaping @Sendable ([UInt8]) -> [UInt8],
    log: @escaping @Sendable (FaultRecord) -> Void
  ) {
    self.digest = digest
    self.hashPassword = hashPassword
    self.authenticate = authenticate
    self.log = log
  }
}
