/// Resources that can be listed without looking at all of a type: what stands behind FROM, and which column of it has
/// the resource's number.
struct RowSet {
  /// Tables with a WHERE, so that more conditions can be added.
  var source: SQLFragment
  var resource: SQLName
  /// True where no resource appears twice.
  var isDistinct: Bool
  /// True where rows come in the order of the resources' numbers by themselves.
  var isOrdered: Bool
  var size: Size
  /// True where the numbers were found already, and stand in the statement as a list.
  var isListed = false

  /// How many rows to expect.
  enum Size {
    /// At most one.
    case one
    /// To be found out by counting a little: the rows are one stretch of an index.
    case countable
    /// The rows are found by reading all keys of an attribute, and are expected to be few of them; or by walking all
    /// members of some groups.
    case scanned
    /// A large part of the type.
    case large
  }

  /// The same rows, as far as they fulfil one more condition.
  func adding(_ condition: SQLFragment) -> RowSet {
    var result = self
    result.source += " AND "
    result.source += condition
    return result
  }

  /// `SELECT …` with the resources' numbers, each as often as it appears.
  var select: SQLFragment { "SELECT \(resource) FROM \(source)" }

  /// As `select`, each number once, under the name `pk`.
  var distinct: SQLFragment {
    isDistinct ? "SELECT \(resource) AS pk FROM \(source)" : "SELECT DISTINCT \(resource) AS pk FROM \(source)"
  }

  var count: SQLFragment {
    isDistinct ? "SELECT count(*) FROM \(source)" : "SELECT count(DISTINCT \(resource)) FROM \(source)"
  }
}
