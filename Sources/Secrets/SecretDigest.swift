import CSodium

/// Digests of secrets that are random already, and their comparison.
///
/// A bearer key has 256 bits of its own, so a plain SHA-256 hides it; passwords go to `PasswordHash`.
public enum SecretDigest {
  /// The SHA-256 digest of the bytes: 32 bytes.
  public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBufferPointer { digest($0) }
  }

  /// The SHA-256 digest of the text's UTF-8 form.
  public static func sha256(_ text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { digest($0) }
  }

  private static func digest(_ input: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    Sodium.start
    return [UInt8](unsafeUninitializedCapacity: 32) { buffer, initialized in
      if let base = buffer.baseAddress {
        crypto_hash_sha256(base, input.baseAddress, UInt64(input.count))
        initialized = 32
      }
    }
  }

  /// True where both are equal, in a time that depends on their lengths alone.
  public static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    Sodium.start
    guard left.count == right.count else { return false }
    return left.isEmpty || sodium_memcmp(left, right, left.count) == 0
  }
}
