/// Everything that is wrong with a set of Schema and ResourceType documents.
public struct SchemaError: Error, Sendable, Equatable {
  /// One mistake and its place.
  public struct Problem: Sendable, Equatable {
    /// The name of the document, for example `types/User.type.json`.
    public var file: String
    /// Where in the document: `line 3, column 7` where it is no JSON, else the path of the value, for example
    /// `attributes[3].subAttributes[1].type`; empty for the document as a whole.
    public var place: String
    /// What is wrong, as a sentence without a full stop.
    public var message: String

    public init(file: String, place: String, message: String) {
      self.file = file
      self.place = place
      self.message = message
    }
  }

  /// In the order in which they were found; never empty.
  public var problems: [Problem]

  public init(_ problems: [Problem]) {
    self.problems = problems
  }
}

extension SchemaError.Problem: CustomStringConvertible {
  /// File, place and message: `Device.json: attributes[0].type: unknown type "text"; …`.
  public var description: String {
    [file, place, message].filter { !$0.isEmpty }.joined(separator: ": ")
  }
}

extension SchemaError: CustomStringConvertible {
  /// One problem a line.
  public var description: String {
    problems.map(\.description).joined(separator: "\n")
  }
}
