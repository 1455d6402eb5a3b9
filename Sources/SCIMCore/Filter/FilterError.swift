extension SCIMError {
  /// A filter that is refused at a character, counted from 1. `reason` is a clause that names what was expected and
  /// no value.
  static func invalidFilter(at position: Int, _ reason: String) -> SCIMError {
    SCIMError(.invalidFilter, "The filter is refused at character \(position): \(reason).")
  }

  /// A PATCH path that is refused at a character, counted from 1.
  static func invalidPath(at position: Int, _ reason: String) -> SCIMError {
    SCIMError(.invalidPath, "The path is refused at character \(position): \(reason).")
  }
}

extension Filter.Located<String> {
  /// The name in quotes for an error text; a very long one is cut.
  var quoted: String {
    value.utf8.count <= 200 ? "'\(value)'" : "'\(value.prefix(200))…'"
  }
}
