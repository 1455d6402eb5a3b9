/// Tells whether a name of an object was there before: a walk over fingerprints while the object is small, a hash set
/// (seeded per process, so that nobody can prepare collisions) once it is not.
struct JSONNameSet {
  let ignoringCase: Bool
  private var large: Set<[UInt8]> = []

  /// Up to here the walk is cheaper than hashing.
  private static let small = 24

  init(ignoringCase: Bool) {
    self.ignoringCase = ignoringCase
  }

  /// Whether no member has that name; called once for each name, in order. The members' own fingerprints begin at
  /// `start` (a slice would hold the array, and the next append copy it).
  @inline(__always)
  mutating func isNew(
    _ key: String, _ fingerprint: UInt64, among members: [JSONObject.Member], _ fingerprints: [UInt64], from start: Int
  ) -> Bool {
    if members.count < Self.small {
      // Equal names have equal fingerprints; the opposite has to be looked at.
      for index in start..<fingerprints.count where fingerprints[index] == fingerprint {
        if isSame(members[index - start].key, key) { return false }
      }
      return true
    }
    return isNewInLarge(key, among: members)
  }

  @inline(never)
  private mutating func isNewInLarge(_ key: String, among members: [JSONObject.Member]) -> Bool {
    if large.isEmpty {
      for member in members { large.insert(identity(member.key)) }
    }
    return large.insert(identity(key)).inserted
  }

  private func isSame(_ left: String, _ right: String) -> Bool { identity(left) == identity(right) }

  private func identity(_ key: String) -> [UInt8] {
    guard ignoringCase else { return Array(key.utf8) }
    return key.utf8.map(ASCII.lowercase)
  }

  /// A quick hash in which the case of ASCII letters does not count; names that are the same have the same one.
  static func fingerprint(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let lower: UInt64 = 0x2020_2020_2020_2020
    let prime: UInt64 = 0x9E37_79B9_7F4A_7C15
    var hash = UInt64(truncatingIfNeeded: bytes.count)
    var index = 0
    while index + 8 <= bytes.count {
      hash = (hash ^ (bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) | lower)) &* prime
      hash ^= hash >> 32
      index += 8
    }
    var rest: UInt64 = 0
    while index < bytes.count {
      rest = rest << 8 | UInt64(bytes[index] | 0x20)
      index += 1
    }
    return (hash ^ rest) &* prime
  }
}
