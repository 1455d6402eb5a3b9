import SCIMCore

/// Points in time as the command line takes them: a date, a time, or how long from now.
enum Expiry {
  /// Reads `2027-01-31` (its first moment in UTC), `2027-01-31T08:00:00Z`, or a number with a unit from now: `45s`,
  /// `30m`, `12h`, `90d`, `2w`. Nil for anything else and for what lies outside the calendar.
  static func parse(_ text: String, from now: Timestamp) -> Timestamp? {
    if let duration = milliseconds(text) {
      let (sum, overflow) = now.milliseconds.addingReportingOverflow(duration)
      return overflow ? nil : Timestamp(milliseconds: sum)
    }
    return instant(text)
  }

  /// The length of `45s`, `30m`, `12h`, `90d` or `2w` in milliseconds, at most a thousand years.
  static func milliseconds(_ text: String) -> Int64? {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    guard let unit = text.last.flatMap({ units[$0] }), let count = number(text.dropLast(), digits: 1...9) else {
      return nil
    }
    let seconds = count * unit
    return seconds <= 1000 * 366 * 86_400 ? seconds * 1000 : nil
  }

  private static func instant(_ text: String) -> Timestamp? {
    let parts = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    let date = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard date.count == 3, let year = number(date[0], digits: 4...4), let month = number(date[1], digits: 2...2),
      let day = number(date[2], digits: 2...2), (1...12).contains(month), (1...daysIn(month, of: year)).contains(day)
    else { return nil }
    var seconds = daysSince1970(year, month, day) * 86_400
    if parts.count == 2 {
      guard parts[1].last == "Z" else { return nil }
      let time = parts[1].dropLast().split(separator: ":", omittingEmptySubsequences: false)
      guard time.count == 3, let hour = number(time[0], digits: 2...2), let minute = number(time[1], digits: 2...2),
        let second = number(time[2], digits: 2...2), hour < 24, minute < 60, second < 60
      else { return nil }
      seconds += hour * 3600 + minute * 60 + second
    }
    return Timestamp(milliseconds: seconds * 1000)
  }

  private static func number(_ text: some StringProtocol, digits: ClosedRange<Int>) -> Int64? {
    guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text)
  }

  private static func daysIn(_ month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }

  /// Days of the Gregorian calendar, counted in years that begin in March so that the leap day comes last.
  private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }
}
