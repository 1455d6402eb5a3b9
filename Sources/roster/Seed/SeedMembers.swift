import SCIMCore

/// Takes a document apart and gathers what is wrong with it: what cannot be read is nil, and noted.
final class SeedMembers {
  private(set) var faults: [SeedFault] = []
  /// What is no mistake, but perhaps not meant.
  private(set) var remarks: [SeedFault] = []

  func note(_ path: SeedPath, _ message: String, other: SeedPath? = nil) {
    faults.append(SeedFault(path: path, message: message, other: other))
  }

  func remark(_ path: SeedPath, _ message: String) { remarks.append(SeedFault(path: path, message: message)) }

  /// The object without the members that it must not have.
  func object(
    _ json: JSON?, at path: SeedPath, members known: [String], what: String = "member"
  ) -> JSONObject? {
    guard var object = json?.objectValue else {
      note(path, "must be an object")
      return nil
    }
    for member in object.members where !known.contains(member.key) {
      let hint = Suggestion.sentence(Suggestion.nearest(to: member.key, among: known))
      note(path + member.key, "unknown \(what)\(hint)")
      object[member.key] = nil
    }
    return object
  }

  func array(_ json: JSON?, at path: SeedPath) -> [JSON]? {
    guard let array = json?.arrayValue else {
      note(path, "must be an array")
      return nil
    }
    return array
  }

  func text(_ json: JSON?, at path: SeedPath) -> String? {
    guard let text = json?.stringValue, !text.isEmpty else {
      note(path, "must be a text that is not empty")
      return nil
    }
    return text
  }

  /// The flag; nil also where there is none.
  func flag(_ json: JSON?, at path: SeedPath) -> Bool? {
    guard let json else { return nil }
    if json.boolValue == nil { note(path, "must be true or false") }
    return json.boolValue
  }

  /// The case that a text names; nil also where there is none.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ json: JSON?, of type: Choice.Type, at path: SeedPath
  ) -> Choice? {
    guard let json else { return nil }
    guard let choice = json.stringValue.flatMap(Choice.init(rawValue:)) else {
      note(path, "must be one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
      return nil
    }
    return choice
  }
}
