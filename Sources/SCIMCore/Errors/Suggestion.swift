/// Finds what somebody may have meant by a misspelt word.
public enum Suggestion {
  /// The candidate nearest to the word: two letters off (a third of a long word's), or one that
  /// begins with it.
  public static func nearest(to word: String, among candidates: [String]) -> String? {
    // What clients send has no bound of its own.
    guard word.utf8.count <= 100 else { return nil }
    let scored = candidates.map { (candidate: $0, distance: distance(word, $0)) }
    if let best = scored.min(by: { $0.distance < $1.distance }),
      best.distance <= (word.count < 3 ? 1 : max(2, word.count / 3))
    {
      return best.candidate
    }
    return word.count >= 2 ? candidates.first { $0.hasPrefix(word) } : nil
  }

  /// The suggestion as the end of a message; empty where there is none.
  public static func sentence(_ candidate: String?) -> String {
    candidate.map { "; did you mean '\($0)'?" } ?? ""
  }

  /// How many letters must be put in, taken out or replaced to make one word of the other (Levenshtein).
  public static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left.unicodeScalars)
    let right = Array(right.unicodeScalars)
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in right.enumerated() {
        let cost = diagonal + (a == b ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(cost, row[j] + 1, diagonal + 1)
      }
    }
    return row[right.count]
  }
}
