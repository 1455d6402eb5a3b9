import SCIMCore

/// Something that exists already and is not as the seed file has it. It is left as it is.
struct SeedDifference: Sendable, Equatable {
  var path: SeedPath
  /// The attributes that differ, by their paths.
  var attributes: [String]
}

/// Compares what a seed file gives with what is stored: attributes that the file leaves out are not looked at, nor are
/// passwords, which are stored as digests.
enum SeedComparison {
  /// The attributes in which a stored resource is not as seeded.
  ///
  /// - Parameter stored: with its own links.
  static func differences(
    of seeded: NormalizedResource, from stored: StoredResource, type: ResourceType
  ) -> [String] {
    guard let document = try? JSON(parsing: stored.document).objectValue else { return [] }
    var names: [String] = []
    for member in seeded.document.members where member.key != "schemas" {
      guard type.extension(urn: member.key) != nil, let content = member.value.objectValue else {
        if !agree(member.value, document[member.key]) { names.append(member.key) }
        continue
      }
      for inner in content.members where !agree(inner.value, document[member.key]?[inner.key]) {
        names.append(member.key + ":" + inner.key)
      }
    }
    for (attribute, elements) in seeded.links.sorted(by: { $0.key < $1.key }) {
      let linked = stored.links.filter { $0.attribute == attribute && !$0.isInherited }
      let unlinked = value(at: attribute, of: document)?.arrayValue ?? []
      // The catalogue can be named in several ways, so that only what is a link to a member is compared by its id.
      var isEqual = elements.count == linked.count + unlinked.count
      if case .members? = type.link(for: attribute)?.kind {
        isEqual = isEqual && Set(elements.map { $0["value"]?.stringValue }) == Set(linked.map { $0.id })
      }
      if !isEqual { names.append(attribute) }
    }
    return names
  }

  /// True where the stored value has all that is given; objects may have more.
  private static func agree(_ given: JSON, _ stored: JSON?) -> Bool {
    guard case .object(let wanted) = given, case .object(let found)? = stored else { return given == stored }
    return wanted.members.allSatisfy { agree($0.value, found[$0.key]) }
  }

  /// The value of a link attribute that is named by its path, on top or in an extension.
  private static func value(at path: String, of document: JSONObject) -> JSON? {
    guard let colon = path.lastIndex(of: ":") else { return document[path] }
    return document[String(path[..<colon])]?[String(path[path.index(after: colon)...])]
  }
}
