import CSystem
import Glibc

/// The `Date` field line, made anew each second (RFC 9110 section 5.6.7).
struct HTTPDate {
  private var second: Int64 = -1
  /// `Date: Sun, 06 Nov 1994 08:49:37 GMT` and CR LF.
  private(set) var line: [UInt8] = []

  /// Brings the line up to `seconds` since 1970.
  mutating func update(_ seconds: Int64) {
    guard seconds != second else { return }
    second = seconds
    line = Array("Date: \(Self.text(seconds))\r\n".utf8)
  }

  /// An IMF-fixdate.
  static func text(_ seconds: Int64) -> String {
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(parts.tm_year + 1900)"
    return "\(day) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
  }
}
