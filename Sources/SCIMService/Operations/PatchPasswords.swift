import SCIMCore

extension PatchRequest {
  /// The passwords that operations set, so that they can be hashed before the transaction; what is missed here is
  /// hashed inside it.
  static func passwords(in operations: [PatchOperation]) -> [String] {
    var passwords: [String] = []
    for operation in operations where operation.kind != .remove {
      if let path = operation.path {
        if isPassword(path), let plain = operation.value?.stringValue { passwords.append(plain) }
      } else {
        for member in operation.value?.objectValue?.members ?? [] where isPassword(member.key) {
          if let plain = member.value.stringValue { passwords.append(plain) }
        }
      }
    }
    return passwords
  }

  private static func isPassword(_ name: String) -> Bool {
    let last = name.split(separator: ":").last.map(String.init) ?? name
    return ASCII.equalIgnoringCase(last, "password")
  }
}
