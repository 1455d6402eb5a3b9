/// What an organisation may be called.
enum OrganizationName {
  static let rule =
    "an organisation's name has 1 to 253 lower-case letters, digits, dots, hyphens and underscores, and begins with a"
    + " letter or digit"

  static func isValid(_ name: String) -> Bool {
    let bytes = name.utf8
    guard (1...253).contains(bytes.count), let first = bytes.first else { return false }
    func isAlphanumeric(_ byte: UInt8) -> Bool { byte &- 0x61 < 26 || byte &- 0x30 < 10 }
    return isAlphanumeric(first) && bytes.allSatisfy { isAlphanumeric($0) || ".-_".utf8.contains($0) }
  }
}
