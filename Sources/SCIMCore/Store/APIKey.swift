/// What a bearer key may do.
public enum KeyRole: String, Sendable, CaseIterable {
  /// GET and `.search` only.
  case reader
  /// Also writes Users and Groups.
  case provisioner
  /// Also writes the catalogue (roles, entitlements) and definitions.
  case admin
}

/// A bearer key as it is stored: everything but the secret, of which only a SHA-256 digest is kept.
public struct APIKey: Sendable, Equatable {
  /// A public name for the key, such as `key_01J…`; not the secret.
  public let id: String
  public let organization: OrganizationID
  public var label: String
  public var role: KeyRole
  public var profile: Profile
  public var created: Timestamp
  public var expires: Timestamp?
  /// From when on the key is revoked; may lie ahead, so that an old key can go on for a while beside a new one.
  public var revoked: Timestamp?
  public var lastUsed: Timestamp?

  public init(
    id: String, organization: OrganizationID, label: String, role: KeyRole, profile: Profile, created: Timestamp,
    expires: Timestamp? = nil, revoked: Timestamp? = nil, lastUsed: Timestamp? = nil
  ) {
    self.id = id
    self.organization = organization
    self.label = label
    self.role = role
    self.profile = profile
    self.created = created
    self.expires = expires
    self.revoked = revoked
    self.lastUsed = lastUsed
  }

  /// True where the key opens the door at that time.
  public func isValid(at now: Timestamp) -> Bool {
    (revoked.map { now < $0 } ?? true) && (expires.map { now < $0 } ?? true)
  }
}

/// How far requests of a key are bent to what identity providers are known to send.
public enum Profile: String, Sendable, CaseIterable {
  /// Everything real identity providers are known to send is understood; the default.
  case interop
  /// As `interop`, with PATCH answered as Microsoft documents it: 204.
  case entra
  /// The RFCs to the letter.
  case strict

  /// True for all but `strict`.
  public var isLenient: Bool { self != .strict }
}
