import SCIMCore

/// An answer as a page shows it, which may leave things out.
///
/// An object matches one that has at least its members; an array one of as many elements, or of more where its last
/// element is `"…"`; the text `"…"` any value.
struct AnswerPattern {
  static let rest: JSON = "…"

  let pattern: JSON

  /// Where the answer differs first; nil where it matches.
  func difference(from answer: JSON?) -> String? { Self.difference(pattern, answer, at: "answer") }

  private static func difference(_ pattern: JSON, _ answer: JSON?, at place: String) -> String? {
    guard let answer else { return "\(place) is missing" }
    if pattern == rest { return nil }
    switch (pattern, answer) {
    case (.object(let wanted), .object(let found)):
      for member in wanted.members {
        let place = place + "." + member.key
        if let difference = difference(member.value, found[member.key], at: place) { return difference }
      }
      return nil
    case (.array(var wanted), .array(let found)):
      let isOpen = wanted.last == rest
      if isOpen { wanted.removeLast() }
      guard isOpen ? wanted.count <= found.count : wanted.count == found.count else {
        return "\(place) has \(found.count) elements"
      }
      for (index, element) in wanted.enumerated() {
        if let difference = difference(element, found[index], at: "\(place)[\(index)]") { return difference }
      }
      return nil
    default:
      return pattern == answer ? nil : "\(place) is \(answer.pretty())"
    }
  }
}
