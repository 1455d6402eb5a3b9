/// Reads the members of one object of a document with their types, and notes each mistake with its JSON path.
struct MemberReader {
  let file: String
  /// The JSON path of the object; empty for the document itself.
  let path: String
  let object: JSONObject
  let problems: ProblemList

  init(file: String, path: String = "", object: JSONObject, problems: ProblemList) {
    self.file = file
    self.path = path
    self.object = object
    self.problems = problems
  }

  /// The JSON path of a member.
  func place(_ key: String) -> String { path.isEmpty ? key : path + "." + key }

  func note(_ message: String, at key: String) { problems.add(message, in: file, at: place(key)) }

  /// Notes a mistake of the object as a whole.
  func note(_ message: String) { problems.add(message, in: file, at: path) }

  /// Notes every member that is not among the known ones; the one that was probably meant is named.
  func allow(_ known: [String]) {
    for member in object.members where !known.contains(member.key) {
      if let meant = known.first(where: { ASCII.equalIgnoringCase($0, member.key) }) {
        note("unknown member; it is written \(meant)", at: member.key)
      } else if let nearest = Suggestion.nearest(to: member.key, among: known) {
        note("unknown member" + Suggestion.sentence(nearest), at: member.key)
      } else {
        note("unknown member; known here: \(known.joined(separator: ", "))", at: member.key)
      }
    }
  }

  /// The text of a member; nil where it is absent (a mistake if required) or something else (always a mistake).
  func text(_ key: String, isRequired: Bool = false) -> String? {
    guard let value = value(key, isRequired: isRequired) else { return nil }
    guard let text = value.stringValue else {
      note("must be a string", at: key)
      return nil
    }
    if text.isEmpty, isRequired {
      note("must not be empty", at: key)
      return nil
    }
    return text
  }

  func boolean(_ key: String, isRequired: Bool = false) -> Bool? {
    guard let value = value(key, isRequired: isRequired) else { return nil }
    guard let boolean = value.boolValue else {
      note("must be true or false", at: key)
      return nil
    }
    return boolean
  }

  /// One word of a closed set, in the letter case that RFC 7643 section 7 writes.
  func keyword<Word>(_ key: String) -> Word? where Word: RawRepresentable<String> & CaseIterable {
    guard let text = text(key) else { return nil }
    if let word = Word(rawValue: text) { return word }
    let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
    note("unknown \(key) \"\(text)\"; it is one of \(words)", at: key)
    return nil
  }

  /// An array of distinct, non-empty texts; empty where the member is absent.
  func texts(_ key: String) -> [String] {
    guard let value = value(key) else { return [] }
    guard let elements = value.arrayValue else {
      note("must be an array of strings", at: key)
      return []
    }
    var texts: [String] = []
    for (index, element) in elements.enumerated() {
      if let text = element.stringValue, !text.isEmpty {
        if texts.contains(text) {
          note("\"\(text)\" is listed twice", at: "\(key)[\(index)]")
        } else {
          texts.append(text)
        }
      } else {
        note("must be a string that is not empty", at: "\(key)[\(index)]")
      }
    }
    return texts
  }

  /// An object as a reader of its own; nil where it is absent.
  func child(_ key: String) -> MemberReader? {
    guard let value = value(key) else { return nil }
    guard let object = value.objectValue else {
      note("must be an object", at: key)
      return nil
    }
    return MemberReader(file: file, path: place(key), object: object, problems: problems)
  }

  /// An array of objects as readers of their own; nil where the member is absent or no array.
  func children(_ key: String, isRequired: Bool = false) -> [MemberReader]? {
    guard let value = value(key, isRequired: isRequired) else { return nil }
    guard let elements = value.arrayValue else {
      note("must be an array of objects", at: key)
      return nil
    }
    var readers: [MemberReader] = []
    for (index, element) in elements.enumerated() {
      let path = "\(place(key))[\(index)]"
      if let object = element.objectValue {
        readers.append(MemberReader(file: file, path: path, object: object, problems: problems))
      } else {
        problems.add("must be an object", in: file, at: path)
      }
    }
    return readers
  }

  private func value(_ key: String, isRequired: Bool = false) -> JSON? {
    guard let value = object[key] else {
      if isRequired, !object.members.contains(where: { ASCII.equalIgnoringCase($0.key, key) }) {
        note("is missing", at: key)
      }
      return nil
    }
    if value == .null {
      note("must not be null; leave it out instead", at: key)
      return nil
    }
    return value
  }
}
