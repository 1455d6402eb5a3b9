import Foundation
import SCIMCore

/// Compares an answer with what a fixture expects of it.
///
/// A plain value is equal; an object holds at least these keys; an array holds exactly these items in order. An object
/// with a key that begins with `$` is an operator: `$absent $any $contains $lacks $len $re $ci $not $type $all $in`.
enum Matcher {
  /// Why `got` does not match, or nil where it does. `got` nil stands for what is missing.
  static func mismatch(_ want: JSON, _ got: JSON?, at place: String = "body") -> String? {
    if case .object(let object) = want, object.members.contains(where: { operators.contains($0.key) }) {
      for member in object.members {
        if let why = special(member.key, member.value, got, at: place) { return why }
      }
      return nil
    }
    guard let got else { return "\(place): missing" }
    switch (want, got) {
    case (.object(let want), .object(let got)):
      for member in want.members {
        if let why = mismatch(member.value, got[member.key], at: "\(place).\(member.key)") { return why }
      }
      return nil
    case (.array(let want), .array(let got)):
      guard want.count == got.count else {
        return "\(place): expected \(want.count) items, got \(got.count): \(show(.array(got)))"
      }
      for (index, pair) in zip(want, got).enumerated() {
        if let why = mismatch(pair.0, pair.1, at: "\(place)[\(index)]") { return why }
      }
      return nil
    case (.integer(let want), .double(let got)) where Double(want) == got: return nil
    case (.double(let want), .integer(let got)) where want == Double(got): return nil
    default: return want == got ? nil : "\(place): expected \(show(want)), got \(show(got))"
    }
  }

  private static let operators: Set<String> = [
    "$absent", "$any", "$contains", "$lacks", "$len", "$re", "$ci", "$not", "$type", "$all", "$in",
  ]

  private static func special(_ name: String, _ argument: JSON, _ got: JSON?, at place: String) -> String? {
    switch name {
    case "$absent":
      return (got == nil) == (argument == true) ? nil : "\(place): \(got == nil ? "missing" : "should be absent")"
    case "$not":
      return mismatch(argument, got, at: place) == nil ? "\(place): should not match \(show(argument))" : nil
    case "$lacks" where got == nil: return nil
    default: break
    }
    guard let got else { return "\(place): missing" }
    switch name {
    case "$any": return got == .null ? "\(place): is null" : nil
    case "$all":
      for matcher in argument.arrayValue ?? [] {
        if let why = mismatch(matcher, got, at: place) { return why }
      }
      return nil
    case "$in":
      return (argument.arrayValue ?? []).contains(got)
        ? nil : "\(place): expected one of \(show(argument)), got \(show(got))"
    case "$contains", "$lacks":
      let found: Bool
      switch got {
      case .string(let text): found = argument.stringValue.map { text.contains($0) } ?? false
      case .array(let items): found = items.contains { mismatch(argument, $0, at: place) == nil }
      default: return "\(place): expected an array or a string, got \(show(got))"
      }
      return found == (name == "$contains") ? nil : "\(place): \(name) \(show(argument)) fails for \(show(got))"
    case "$len":
      let count: Int? =
        switch got {
        case .array(let items): items.count
        case .string(let text): text.unicodeScalars.count
        default: nil
        }
      return count.map(Int64.init) == argument.integerValue
        ? nil : "\(place): expected \(show(argument)) items, got \(show(got))"
    case "$re":
      guard let text = got.stringValue, let pattern = argument.stringValue,
        let expression = try? NSRegularExpression(pattern: pattern),
        expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
      else { return "\(place): \(show(got)) does not match /\(argument.stringValue ?? "")/" }
      return nil
    case "$ci":
      return got.stringValue?.lowercased() == argument.stringValue?.lowercased()
        ? nil : "\(place): expected \(show(argument)) in any case, got \(show(got))"
    case "$type":
      let type: String =
        switch got {
        case .string: "string"
        case .integer, .double: "number"
        case .bool: "boolean"
        case .array: "array"
        case .object: "object"
        case .null: "null"
        }
      return .string(type) == argument ? nil : "\(place): expected a \(show(argument)), got \(show(got))"
    default: return "\(place): \(name) is no operator"
    }
  }

  static func show(_ value: JSON) -> String {
    let text = String(decoding: value.encoded(), as: UTF8.self)
    return text.count > 300 ? text.prefix(297) + "…" : text
  }
}
