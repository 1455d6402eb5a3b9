/// What a change of a resource type, or of the settings that it is made by, means for the index of its resources.
///
/// What is new is written beside what is there, under names that nothing is searched by yet: values whose keys are made
/// in another way get the other one of their two names. So both can be there, and the change itself is small.
public struct IndexChange: Sendable {
  public let old: ResourceType
  /// The changed type with the names that its values then have in the index.
  public let new: ResourceType
  /// The members of a document by which it is concerned; nil where each is, empty where none is.
  public let affected: [String]?
  /// What is written for the new type, and is of no use if it does not come.
  public let writes: [IndexName]
  /// What is of no use once the new type is there.
  public let drops: [IndexName]
  public let writesSignatures: Bool
  /// True where other attributes show what a resource is called.
  public let changesDisplay: Bool
  private let settings: SchemaSettings
  /// By their place in `new.indexedLeaves`.
  private let leaves: Set<Int>
  /// The paths of what is to be unique and is not held so yet, or by other keys.
  public let uniquePaths: Set<String>
  /// False where documents of the old type fit the new one whatever they hold.
  public let checksDocuments: Bool

  /// - Parameters:
  ///   - old: as it is, with its names in the index.
  ///   - new: as its definition gives it.
  ///   - checksDocuments: false where only settings change.
  public init(
    from old: ResourceType, _ oldSettings: SchemaSettings, to new: ResourceType, _ newSettings: SchemaSettings,
    checksDocuments: Bool
  ) {
    self.checksDocuments = checksDocuments
    let (before, after) = (Paths(old, oldSettings), Paths(new, newSettings))
    var affected = TypeChange.affectedMembers(old: old, new: new)
    if oldSettings.externalIDs != newSettings.externalIDs { affected?.append(CommonAttributes.externalId.name) }
    /// Those under both types whose keys differ.
    var moved = Set(
      before.all.keys.filter { path in
        guard let was = before.all[path], let present = after.all[path], before.isIndexed(path), after.isIndexed(path)
        else { return false }
        return Self.keying(was) != Self.keying(present)
      })
    let kept = old.extensions.map(\.schema.id).filter { new.extension(urn: $0) != nil }
    if kept != new.extensions.map(\.schema.id).filter({ old.extension(urn: $0) != nil }) {
      moved.insert(CommonAttributes.schemas.name)
    }
    let texts = before.texts.union(after.texts).filter { before.all[$0] != nil && after.all[$0] != nil }
    writesSignatures = texts.contains {
      before.texts.contains($0) != after.texts.contains($0) || moved.contains($0)
    }
    if writesSignatures {
      moved.insert(ResourceType.signaturePath)
      affected = nil
    }
    changesDisplay = old.displayAttributes != new.displayAttributes
    self.affected = affected
    let known = old.secondNames.filter { $0 == ResourceType.signaturePath || after.isIndexed($0) }
    let named = new.named(known.symmetricDifference(moved))
    // What the old type lacks altogether no document has.
    func isWritten(_ path: String, _ had: Bool) -> Bool { before.all[path] != nil && (!had || moved.contains(path)) }
    leaves = Set(
      named.indexedLeaves.indices.filter {
        let path = named.indexedLeaves[$0].path
        return isWritten(path, before.leaves.contains(path))
      })
    uniquePaths = after.unique.filter { isWritten($0, before.unique.contains($0)) }
    func names(_ kind: IndexName.Kind, _ paths: some Sequence<String>, _ type: ResourceType) -> [IndexName] {
      paths.sorted().map { IndexName(kind: kind, type: type.name, path: type.indexPath($0)) }
    }
    func signatures(_ type: ResourceType) -> [IndexName] {
      moved.contains(ResourceType.signaturePath)
        ? [IndexName(kind: .signature, type: type.signatureName, path: "")] : []
    }
    writes =
      names(.key, leaves.map { named.indexedLeaves[$0].path }, named) + names(.unique, uniquePaths, named)
      + signatures(named)
    drops =
      names(.key, before.leaves.filter { !after.leaves.contains($0) || moved.contains($0) }, old)
      + names(.unique, before.unique.filter { !after.unique.contains($0) || moved.contains($0) }, old)
      + signatures(old)
    self.old = old
    self.new = named
    settings = newSettings
  }

  /// True where no stored resource is concerned.
  public var isNothing: Bool { affected?.isEmpty ?? false }

  // MARK: What is written of a document

  /// The rows that are written for the new type.
  public func rows(of document: JSONObject) -> [IndexRow] {
    leaves.isEmpty ? [] : DocumentIndex.rows(of: document, type: new).filter { leaves.contains($0.leaf) }
  }

  /// The unique values that are written for the new type.
  public func uniqueKeys(of document: JSONObject) -> [UniqueKey] {
    guard !uniquePaths.isEmpty else { return [] }
    return DocumentIndex.uniqueKeys(of: document, type: new, settings: settings).filter {
      uniquePaths.contains($0.path)
    }
  }

  /// The signature of a document under the new type.
  public func signature(of document: JSONObject) -> TextSignature? {
    TextSignature(rows: DocumentIndex.rows(of: document, type: new), type: new)
  }

  /// True where something of the document is written for the new type.
  public func writesIndex(of document: JSONObject) -> Bool {
    writesSignatures || !rows(of: document).isEmpty || !uniqueKeys(of: document).isEmpty
  }

  /// - Parameter document: without `id` and links.
  /// - Parameter isForced: values of extensions that go do not matter.
  /// - Throws: what the new type has against a document.
  public func check(_ document: JSONObject, isForced: Bool) throws(SCIMError) {
    guard checksDocuments else { return }
    var document = document
    for urn in old.extensions.map(\.schema.id) where isForced && new.extension(urn: urn) == nil { document[urn] = nil }
    for link in new.links { document[link] = nil }
    _ = try TypeChange.carry(document, to: new)
  }

  /// How the key of a value is made.
  private static func keying(_ definition: AttributeDefinition) -> Int {
    switch definition.type {
    case .string, .reference, .binary: definition.isCaseExact ? 1 : 0
    case .dateTime: 2
    case .boolean: 3
    case .integer, .decimal: 4
    case .complex: 5
    }
  }

  /// The simple attributes of a type by their paths.
  private struct Paths {
    /// Also those that no index has.
    var all: [String: AttributeDefinition] = [:]
    let leaves: Set<String>
    /// Those whose texts are in the signature.
    let texts: Set<String>
    let unique: Set<String>

    init(_ type: ResourceType, _ settings: SchemaSettings) {
      func add(_ attributes: [AttributeDefinition], prefix: String, to all: inout [String: AttributeDefinition]) {
        for attribute in attributes {
          if attribute.type == .complex {
            for sub in attribute.subAttributes { all[prefix + attribute.name + "." + sub.name] = sub }
          } else {
            all[prefix + attribute.name] = attribute
          }
        }
      }
      add([CommonAttributes.schemas, CommonAttributes.externalId], prefix: "", to: &all)
      add(type.schema.attributes.filter { !$0.isCommon }, prefix: "", to: &all)
      for one in type.extensions { add(one.schema.attributes, prefix: one.schema.id + ":", to: &all) }
      leaves = Set(type.indexedLeaves.map(\.path))
      texts = Set(type.indexedLeaves.filter(\.isInSignature).map(\.path))
      unique = Set(DocumentIndex.uniquePaths(of: type, settings: settings))
    }

    func isIndexed(_ path: String) -> Bool { leaves.contains(path) || unique.contains(path) }
  }
}

/// A part of an organisation's index.
public struct IndexName: Sendable, Hashable {
  public enum Kind: String, Sendable {
    case key, unique, signature
  }

  public let kind: Kind
  /// The name of the type; of signatures `ResourceType.signatureName`.
  public let type: String
  /// The attribute's path (`ResourceType.indexPath`).
  public let path: String
}
