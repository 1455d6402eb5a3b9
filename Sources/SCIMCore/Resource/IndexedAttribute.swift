/// An attribute of a type as the index sees it, with the leaves below it; made once for each type, since every write
/// walks them all.
public struct IndexedAttribute: Sendable {
  /// A simple attribute, or a sub-attribute of a complex one.
  public struct Leaf: Sendable {
    /// The canonical name (`AttributeReference.path`).
    public let path: String
    /// The path under which the index has the leaf (`ResourceType.indexPath`).
    public internal(set) var indexPath: String
    public let definition: AttributeDefinition
    /// True where the leaf's texts are in the signature (`TextSignature`).
    public let isInSignature: Bool
  }

  /// The URN of the extension that the attribute stands in; nil for the top of the document.
  let extensionURN: String?
  let definition: AttributeDefinition
  /// The number of the first leaf among all of the type.
  let firstLeaf: Int
  let leaves: [Leaf]

  /// The leaves of these attributes, by their numbers.
  static func leaves(of attributes: [IndexedAttribute]) -> [Leaf] { attributes.flatMap(\.leaves) }

  /// What the index holds of a type, in the order of its rows; the first attribute is `schemas`.
  static func all(
    schema: SchemaDefinition, extensions: [ResourceType.Extension], links: [LinkDefinition]
  ) -> [IndexedAttribute] {
    var list: [IndexedAttribute] = []
    var count = 0
    func add(_ definition: AttributeDefinition, urn: String? = nil) {
      let isLink = urn == nil && links.contains { $0.attribute == definition.name }
      let attribute = IndexedAttribute(definition, urn: urn, firstLeaf: count, isLink: isLink)
      count += attribute.leaves.count
      list.append(attribute)
    }
    add(CommonAttributes.schemas)
    add(CommonAttributes.externalId)
    for definition in schema.attributes where !definition.isCommon && !definition.isNeverShown { add(definition) }
    for content in extensions {
      for definition in content.schema.attributes where !definition.isNeverShown {
        add(definition, urn: content.schema.id)
      }
    }
    return list
  }

  private init(_ definition: AttributeDefinition, urn: String?, firstLeaf: Int, isLink: Bool) {
    self.extensionURN = urn
    self.definition = definition
    self.firstLeaf = firstLeaf
    let path = urn.map { $0 + ":" + definition.name } ?? definition.name
    if definition.type == .complex {
      leaves = definition.subAttributes.filter { !$0.isNeverShown }.map {
        Leaf(
          path: path + "." + $0.name, indexPath: path + "." + $0.name, definition: $0,
          isInSignature: urn == nil && !isLink && TextSignature.covers($0, of: definition))
      }
    } else {
      let isCovered = urn == nil && !isLink && TextSignature.covers(definition, of: nil)
      leaves = [Leaf(path: path, indexPath: path, definition: definition, isInSignature: isCovered)]
    }
  }
}
