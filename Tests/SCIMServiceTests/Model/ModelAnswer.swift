/// An answer as far as it is told beforehand.
struct Outcome: Hashable, CustomStringConvertible {
  var status: Int
  var scimType: String?

  static func refused(_ scimType: String) -> Outcome { Outcome(status: 400, scimType: scimType) }
  static let missing = Outcome(status: 404)
  static let taken = Outcome(status: 409, scimType: "uniqueness")

  var description: String { "\(status)" + (scimType.map { " \($0)" } ?? "") }
}

/// What is to be expected of an operation. Where several things are wrong with one, any of them may be told.
enum Expectation {
  case answers(Set<Outcome>)
  case bulk([Set<Outcome>])
  case command(isTaken: Bool)
  case found(Set<Number>)
}

/// Why an operation is refused, as a control flow of the model.
struct Refusal: Error {
  var outcomes: Set<Outcome>
}

/// Something in which the service and the model differ.
struct ModelDifference {
  /// Where it was found: what is not looked at costs nothing when a sequence is done again.
  enum Place: Comparable {
    case answer, shown, audit
  }

  var place = Place.answer
  /// Tells differences of other kinds apart, so that a sequence is not shortened to one that fails for another reason.
  var kind: String
  var text: String
}
