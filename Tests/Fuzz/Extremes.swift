import SCIMCore

/// Inputs at and beyond the limits: each must be answered, and soon.
enum Extremes {
  /// Runs one by its name; false where it took more than 100 ms or was not answered as it must be.
  static func check(_ name: String) -> Bool {
    let start = processorTime()
    let isRight: Bool
    switch name {
    case "filter of 8 KiB":
      let frame = #"userName eq """#.utf8.count
      isRight = isTaken(#"userName eq "\#(String(repeating: "a", count: FilterLimits.bytes - frame))""#)
    case "5,000 parentheses":
      isRight = !isTaken(String(repeating: "(", count: 5000)) && !isTaken(nested(2000))
    case "200 conditions": isRight = isTaken(conditions(200))
    case "201 conditions": isRight = !isTaken(conditions(201))
    default:
      let text = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
      isRight = (try? JSON(parsing: Array(text.utf8))) == nil
    }
    let time = processorTime() - start
    print("\(name): \(Int(time * 1_000_000)) µs\(isRight ? "" : ", answered wrongly")")
    return isRight && time < 0.1
  }

  private static func conditions(_ count: Int) -> String {
    (0..<count).map { #"title eq "\#($0)""# }.joined(separator: " or ")
  }

  private static func nested(_ depth: Int) -> String {
    String(repeating: "(", count: depth) + "active pr" + String(repeating: ")", count: depth)
  }

  private static func isTaken(_ text: String) -> Bool {
    guard let type = BuiltInSchemas.registry.type(named: "User"),
      let filter = try? ResolvedFilter(parsing: text, type: type, profile: .interop)
    else { return false }
    return !FilterEvaluator.matches(filter, resource: JSONObject())
  }
}
