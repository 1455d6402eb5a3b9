/// The digests of the keys that one loop has found good, so that a client's next request costs no hashing.
///
/// Kept by the whole Authorization field. The table hashes under a seed of the process, so the time that a look-up
/// takes tells nobody how much of a guess is right.
struct DigestCache {
  private let digest: @Sendable (String) -> [UInt8]
  private var known: [String: [UInt8]] = [:]
  /// Beyond this many all are forgotten.
  private static let maximum = 256

  init(_ digest: @escaping @Sendable (String) -> [UInt8]) {
    self.digest = digest
  }

  func digest(of secret: String) -> [UInt8] { digest(secret) }

  /// The digest of the key in a field; nil where none was found good.
  subscript(field: String) -> [UInt8]? {
    get { known[field] }
    set {
      if known.count >= Self.maximum { known.removeAll() }
      known[field] = newValue
    }
  }
}
