/// The names in a body that no schema has, the first few of them: what stands under them is passed over.
///
/// A class, so that all that read one body add to the same list; it stays with them.
final class UnknownNames {
  /// How many of one body are remembered.
  static let limit = 8

  private struct Name {
    /// What is in front of the name; nil at the top of a body.
    var owner: String?
    var name: String
  }
  private var names: [Name] = []

  /// In the order in which they came, each once: `favouriteColour`, `name.pronunciation`, `urn:acme:hr:1.0:User`. Short
  /// enough to be repeated.
  var paths: [String] {
    names.map { one in
      let name = ValueNormalizer.excerpt(one.name)
      guard let owner = one.owner else { return UnknownSchema.isURN(one.name) ? one.name : name }
      return owner + name
    }
  }

  /// - Parameter owner: the attribute or the URN that the name stands in.
  /// - Parameter separator: what is between the two.
  func note(_ name: String, in owner: String? = nil, separator: String = ".") {
    // There may be thousands of elements with the same name in them.
    guard names.count < Self.limit, !names.contains(where: { $0.name == name && isSame($0.owner, owner, separator) })
    else { return }
    names.append(Name(owner: owner.map { $0 + separator }, name: name))
  }

  private func isSame(_ noted: String?, _ owner: String?, _ separator: String) -> Bool {
    guard let noted, let owner else { return noted == nil && owner == nil }
    return noted.utf8.count == owner.utf8.count + separator.utf8.count && noted.hasPrefix(owner)
  }
}
