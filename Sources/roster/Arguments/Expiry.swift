import SCIMCore

/// Points in time as the command line takes them: a date, a time, or how long from now.
enum Expiry {
  /// Reads `2027-01-31` (its first moment in UTC), `2027-01-31T08:00:00Z`, or a number with a unit from now: `45s`,
  /// `30m`, `12h`, `90d`, `2w`. Nil for anything else.
  static func parse(_ text: String, from now: Timestamp) -> Timestamp? {
    if let duration = milliseconds(text) { return Timestamp(milliseconds: now.milliseconds + duration) }
    let hasTime = text.contains("T") || text.contains("t")
    return Timestamp(parsing: hasTime ? text : text + "T00:00:00Z")
  }

  /// The length of `45s`, `30m`, `12h`, `90d` or `2w` in milliseconds, at most a thousand years.
  static func milliseconds(_ text: String) -> Int64? {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    let digits = text.dropLast()
    guard let unit = text.last.flatMap({ units[$0] }), (1...9).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(digits)
    else { return nil }
    let seconds = count * unit
    return seconds <= 1000 * 366 * 86_400 ? seconds * 1000 : nil
  }
}
