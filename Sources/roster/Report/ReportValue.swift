/// One cell of a report.
enum ReportValue: Equatable {
  case text(String)
  case number(Int)
  case flag(Bool)
  /// Nothing is known: empty in CSV and tables, null in JSON.
  case none

  /// The text, or nothing where it is nil.
  static func optional(_ text: String?) -> ReportValue { text.map { .text($0) } ?? .none }

  var text: String {
    switch self {
    case .text(let text): text
    case .number(let number): String(number)
    case .flag(let flag): flag ? "true" : "false"
    case .none: ""
    }
  }
}
