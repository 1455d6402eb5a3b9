/// A piece of SQL with the values bound in it.
///
/// Text comes from string literals and names of the store's own making alone; every value that is interpolated becomes
/// a parameter. So no value can become part of a statement.
///
///     let part: SQLFragment = "k.key = \(text) AND k.resource > \(number)"
struct SQLFragment: Sendable, ExpressibleByStringInterpolation {
  private(set) var text: String
  private(set) var values: [SQLValue]

  init(stringLiteral value: String) {
    text = value
    values = []
  }

  /// Text of the store's own or its driver's making.
  init(trusted text: String) {
    self.text = text
    values = []
  }

  init(stringInterpolation: StringInterpolation) {
    text = stringInterpolation.text
    values = stringInterpolation.values
  }

  /// In bytes, with the values.
  var size: Int {
    values.reduce(text.utf8.count) { size, value in
      switch value {
      case .null, .integer: size + 8
      case .text(let text): size + text.utf8.count
      case .blob(let bytes): size + bytes.count
      }
    }
  }

  static func += (left: inout SQLFragment, right: SQLFragment) {
    left.text += right.text
    left.values += right.values
  }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""
    fileprivate var values: [SQLValue] = []

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 2)
    }

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ value: Int64) {
      text += "?"
      values.append(.integer(value))
    }

    mutating func appendInterpolation(_ value: String) {
      text += "?"
      values.append(.text(value))
    }

    mutating func appendInterpolation(_ fragment: SQLFragment) {
      text += fragment.text
      values += fragment.values
    }

    mutating func appendInterpolation(_ name: SQLName) { text += name.text }
  }
}

extension [SQLFragment] {
  /// The pieces with a separator between them.
  func joined(_ separator: SQLFragment) -> SQLFragment {
    var result: SQLFragment = ""
    for (index, piece) in enumerated() {
      if index > 0 { result += separator }
      result += piece
    }
    return result
  }

  /// The rows of all these selects with the same columns: of any number of them, where SQLite takes 500 in one.
  var unionAll: SQLFragment {
    var selects = self
    while selects.count > 200 {
      selects = stride(from: 0, to: selects.count, by: 200).map { start in
        "SELECT * FROM (\(Array(selects[start..<Swift.min(start + 200, selects.count)]).joined(" UNION ALL ")))"
      }
    }
    return selects.joined(" UNION ALL ")
  }
}

extension [Int64] {
  /// The numbers between commas, for `IN`.
  var list: SQLFragment { map { "\($0)" as SQLFragment }.joined(", ") }
}

/// A name of the store's own making: an alias with its number, or a column of one.
struct SQLName: Sendable, ExpressibleByStringLiteral {
  let text: String

  init(stringLiteral value: StaticString) { text = value.description }

  /// `k7`.
  init(alias: StaticString, number: Int) { text = alias.description + String(number) }

  private init(text: String) { self.text = text }

  /// `k7.resource`.
  func column(_ name: StaticString) -> SQLName { SQLName(text: text + "." + name.description) }
}
