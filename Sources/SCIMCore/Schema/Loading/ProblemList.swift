/// Collects the mistakes of one run over documents, so that all are told at once.
final class ProblemList {
  private(set) var problems: [SchemaError.Problem] = []

  func add(_ message: String, in file: String, at place: String = "") {
    problems.append(SchemaError.Problem(file: file, place: place, message: message))
  }

  /// Throws what has been collected, if anything.
  func throwIfAny() throws(SchemaError) {
    if !problems.isEmpty { throw SchemaError(problems) }
  }
}
