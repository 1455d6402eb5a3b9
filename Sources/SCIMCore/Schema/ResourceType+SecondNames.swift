/// What is stored of a type in the index has two names, so that a change of its definition can write the index anew under
/// the one while the other is searched. Which of them holds is kept for each organisation and path.
extension ResourceType {
  /// Ends no name of a type and no path of an attribute.
  static let secondSuffix = "#2"
  /// Stands for the signatures among the paths of `secondNames`.
  public static let signaturePath = ""

  /// The path under which the index has the values of an attribute.
  public func indexPath(_ path: String) -> String {
    secondNames.contains(path) ? path + Self.secondSuffix : path
  }

  /// The name under which the signatures of the type's resources are.
  public var signatureName: String { secondNames.contains(Self.signaturePath) ? name + Self.secondSuffix : name }

  /// The same type with other names in the index.
  func named(_ secondNames: Set<String>) -> ResourceType {
    if secondNames == self.secondNames { return self }
    return ResourceType(
      name: name, endpoint: endpoint, schema: schema, extensions: extensions, links: links,
      displayAttributes: displayAttributes, defaults: defaults, isCatalog: isCatalog, document: document,
      secondNames: secondNames)
  }
}
