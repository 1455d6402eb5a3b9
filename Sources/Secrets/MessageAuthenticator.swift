import CSodium

/// Authenticates values that leave the server and come back, such as paging cursors, by HMAC-SHA-256 (RFC 2104).
public struct MessageAuthenticator: Sendable {
  private let key: [UInt8]

  /// The length of a tag in bytes.
  public static let tagLength = 32

  /// Makes one with a fresh random key of 256 bits.
  public init() {
    key = RandomBytes.make(count: 32)
  }

  /// Makes one with a given key of any length.
  public init(key: [UInt8]) {
    self.key = key
  }

  /// The tag of the message: 32 bytes.
  public func tag(for message: [UInt8]) -> [UInt8] {
    Sodium.start
    var state = crypto_auth_hmacsha256_state()
    var tag = [UInt8](repeating: 0, count: Self.tagLength)
    crypto_auth_hmacsha256_init(&state, key, key.count)
    crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
    crypto_auth_hmacsha256_final(&state, &tag)
    return tag
  }

  /// True where `tag` is the message's own, in a time that does not tell how much of it is right.
  public func isValid(tag candidate: [UInt8], for message: [UInt8]) -> Bool {
    SecretDigest.equal(candidate, tag(for: message))
  }
}
