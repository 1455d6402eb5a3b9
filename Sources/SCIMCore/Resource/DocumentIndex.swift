/// What the store indexes of a document: a row for each filterable value, and the values that must be unique.
public enum DocumentIndex {
  /// The rows for every filterable leaf, in the order of the document's schemas; equal documents give equal rows.
  ///
  /// Left out are `id` and `meta`, which the store has in columns, the base URN in `schemas`, which every resource has,
  /// and what is never returned. An empty text has the key "", so that `eq ""` finds it; `pr` must pass over it. Each
  /// element of a list has its position. Of the rows of one path exactly one is the sort key: the primary element's,
  /// else the first.
  public static func keys(of document: JSONObject, type: ResourceType) -> [IndexKey] {
    rows(of: document, type: type).map {
      IndexKey(
        path: type.indexedLeaves[$0.leaf].path, key: $0.key, element: $0.element, isSortKey: $0.isSortKey)
    }
  }

  /// As `keys`, with leaves named by their numbers in `ResourceType.indexedLeaves`.
  public static func rows(of document: JSONObject, type: ResourceType) -> [IndexRow] {
    var rows: [IndexRow] = []
    rows.reserveCapacity(32)
    addExtensions(of: document, type: type, to: &rows)
    var urn: String?
    var members = MemberFinder(document)
    for attribute in type.indexedAttributes.dropFirst() {
      if attribute.extensionURN != urn {
        urn = attribute.extensionURN
        members = MemberFinder(content(of: document, under: urn))
      }
      if let value = members.value(of: attribute.definition.name) { add(value, of: attribute, to: &rows) }
    }
    return rows
  }

  /// The rows of the attributes in which two documents of a type differ; what is in neither list is the same in both.
  /// `changesTexts` where these have searched texts (`TextSignature`).
  public static func changedRows(
    from old: JSONObject, to new: JSONObject, type: ResourceType
  ) -> (before: [IndexRow], after: [IndexRow], changesTexts: Bool) {
    var before: [IndexRow] = []
    var after: [IndexRow] = []
    var changesTexts = false
    // Their places count the extensions before them.
    if type.extensions.contains(where: { (old[$0.schema.id] == nil) != (new[$0.schema.id] == nil) }) {
      addExtensions(of: old, type: type, to: &before)
      addExtensions(of: new, type: type, to: &after)
    }
    var urn: String?
    var members = (old: MemberFinder(old), new: MemberFinder(new))
    for attribute in type.indexedAttributes.dropFirst() {
      if attribute.extensionURN != urn {
        urn = attribute.extensionURN
        members = (MemberFinder(content(of: old, under: urn)), MemberFinder(content(of: new, under: urn)))
      }
      let name = attribute.definition.name
      let (was, present) = (members.old.value(of: name), members.new.value(of: name))
      if was == present { continue }
      if let was { add(was, of: attribute, to: &before) }
      if let present { add(present, of: attribute, to: &after) }
      if attribute.leaves.contains(where: \.isInSignature) { changesTexts = true }
    }
    return (before, after, changesTexts)
  }

  /// What a document has of an extension, or of the base schema.
  private static func content(of document: JSONObject, under urn: String?) -> JSONObject {
    guard let urn else { return document }
    return document[urn]?.objectValue ?? JSONObject()
  }

  /// The key by which a resource is sorted by a leaf: that of the leaf's row which is the sort key; nil where the
  /// document has none.
  public static func sortKey(of document: JSONObject, leaf path: String, type: ResourceType) -> String? {
    for attribute in type.indexedAttributes.dropFirst() {
      guard let leaf = attribute.leaves.firstIndex(where: { $0.path == path }) else { continue }
      let object = attribute.extensionURN.map { document[$0]?.objectValue } ?? document
      guard let value = object?[attribute.definition.name] else { return nil }
      var rows: [IndexRow] = []
      add(value, of: attribute, to: &rows)
      return rows.first { $0.leaf == attribute.firstLeaf + leaf && $0.isSortKey }?.key
    }
    return keys(of: document, type: type).first { $0.path == path && $0.isSortKey }?.key
  }

  /// The rows that are in `old` alone and in `new` alone: what an update removes and adds.
  public static func difference<Row: Hashable>(
    old: [Row], new: [Row]
  ) -> (removed: [Row], added: [Row]) {
    // Most changes touch few rows, and both lists are in one order: what they share at both ends need not be hashed.
    let head = zip(old, new).prefix { $0 == $1 }.count
    let tail = zip(old[head...].reversed(), new[head...].reversed()).prefix { $0 == $1 }.count
    let oldRows = old[head..<old.count - tail]
    let newRows = new[head..<new.count - tail]
    if oldRows.isEmpty || newRows.isEmpty { return (Array(oldRows), Array(newRows)) }
    let before = Set(oldRows)
    let after = Set(newRows)
    return (oldRows.filter { !after.contains($0) }, newRows.filter { !before.contains($0) })
  }

  /// The values that no other resource of the type may have: simple attributes of the base schema and the extensions with
  /// uniqueness `server` or `global`, and where the settings have it so `externalId`. Absent and empty values give none.
  public static func uniqueKeys(
    of document: JSONObject, type: ResourceType, settings: SchemaSettings = .standard
  ) -> [UniqueKey] {
    var keys: [UniqueKey] = []
    if settings.externalIDs == .unique { addUnique(of: document, uniqueExternalID, prefix: "", to: &keys) }
    for definition in type.schema.attributes where !definition.isCommon {
      addUnique(of: document, definition, prefix: "", to: &keys)
    }
    for definition in type.extensions where definition.schema.hasUniqueValues {
      guard let content = document[definition.schema.id]?.objectValue else { continue }
      for attribute in definition.schema.attributes {
        addUnique(of: content, attribute, prefix: definition.schema.id + ":", to: &keys)
      }
    }
    return keys
  }

  /// The paths of what `uniqueKeys` gives.
  static func uniquePaths(of type: ResourceType, settings: SchemaSettings) -> [String] {
    func isUnique(_ definition: AttributeDefinition) -> Bool {
      definition.uniqueness != .none && definition.type != .complex
    }
    var paths = settings.externalIDs == .unique ? [uniqueExternalID.name] : []
    paths += type.schema.attributes.filter { !$0.isCommon && isUnique($0) }.map(\.name)
    for one in type.extensions {
      paths += one.schema.attributes.filter(isUnique).map { one.schema.id + ":" + $0.name }
    }
    return paths
  }

  /// What other resources show as `display` of this one: the first text among the type's display attributes.
  public static func display(of document: JSONObject, type: ResourceType) -> String? {
    for path in type.displayAttributes {
      var value: JSON? = .object(document)
      for name in path.split(separator: ".") {
        if case .array(let elements) = value { value = elements.first }
        value = value?[String(name)]
      }
      if let text = value?.stringValue, !text.isEmpty { return text }
    }
    return nil
  }

  /// The key of one simple value of an attribute; nil where the value does not have the attribute's type.
  ///
  /// Text is folded, or only normalised where the attribute is `caseExact`.
  public static func key(for value: JSON, of definition: AttributeDefinition) -> String? {
    switch (definition.type, value) {
    case (.string, .string(let text)), (.reference, .string(let text)), (.binary, .string(let text)):
      SortableKey.text(definition.isCaseExact ? Folding.normalize(text) : Folding.fold(text)).text
    case (.dateTime, .string(let text)): Timestamp(parsing: text).map { SortableKey.instant($0).text }
    case (.boolean, .bool(let value)): SortableKey.boolean(value).text
    case (.integer, .integer(let value)), (.decimal, .integer(let value)): SortableKey.integer(value).text
    case (.decimal, .double(let value)): SortableKey.double(value).text
    default: nil
    }
  }

  private static let uniqueExternalID = AttributeDefinition(
    name: CommonAttributes.externalId.name, isCaseExact: CommonAttributes.externalId.isCaseExact, uniqueness: .server)

  // MARK: Rows

  private static func addExtensions(of document: JSONObject, type: ResourceType, to rows: inout [IndexRow]) {
    for definition in type.extensions where document[definition.schema.id] != nil {
      let isFirst = rows.isEmpty
      let key = SortableKey.text(Folding.normalize(definition.schema.id)).text
      // `schemas` is the first leaf of every type.
      rows.append(IndexRow(leaf: 0, key: key, element: rows.count, isSortKey: isFirst))
    }
  }

  private static func add(_ value: JSON, of attribute: IndexedAttribute, to rows: inout [IndexRow]) {
    let definition = attribute.definition
    guard definition.type == .complex else {
      let start = rows.count
      forEach(value) { append($0, of: definition, leaf: attribute.firstLeaf, element: $1, from: start, to: &rows) }
      markSortKey(from: start, primary: nil, in: &rows)
      return
    }
    var primary: Int?
    forEach(value) { if primary == nil, $0["primary"] == true { primary = $1 } }
    for (offset, leaf) in attribute.leaves.enumerated() {
      let start = rows.count
      forEach(value) { element, index in
        guard let value = element[leaf.definition.name] else { return }
        forEach(value) { value, _ in
          append(
            value, of: leaf.definition, leaf: attribute.firstLeaf + offset, element: index, from: start, to: &rows)
        }
      }
      markSortKey(from: start, primary: primary, in: &rows)
    }
  }

  private static func forEach(_ value: JSON, _ body: (_ value: JSON, _ element: Int) -> Void) {
    guard case .array(let elements) = value else { return body(value, 0) }
    for (index, element) in elements.enumerated() { body(element, index) }
  }

  /// Adds the row of one value of a leaf whose rows begin at `start`.
  private static func append(
    _ value: JSON, of definition: AttributeDefinition, leaf: Int, element: Int, from start: Int,
    to rows: inout [IndexRow]
  ) {
    guard let key = key(for: value, of: definition) else { return }
    // Only a list within one element can give the same row twice: its rows are the last ones.
    var last = rows.count - 1
    while last >= start, rows[last].element == element {
      if rows[last].key.utf8.elementsEqual(key.utf8) { return }
      last -= 1
    }
    rows.append(IndexRow(leaf: leaf, key: key, element: element, isSortKey: false))
  }

  private static func markSortKey(from start: Int, primary: Int?, in rows: inout [IndexRow]) {
    guard start < rows.count else { return }
    var sortRow = start
    if let primary, let row = rows[start...].firstIndex(where: { $0.element == primary }) { sortRow = row }
    rows[sortRow].isSortKey = true
  }

  private static func list(_ value: JSON) -> [JSON] {
    if case .array(let elements) = value { elements } else { [value] }
  }

  private static func addUnique(
    of object: JSONObject, _ definition: AttributeDefinition, prefix: String, to keys: inout [UniqueKey]
  ) {
    guard definition.uniqueness != .none, definition.type != .complex, let value = object[definition.name] else {
      return
    }
    for value in list(value) {
      guard let key = key(for: value, of: definition), !key.isEmpty else { continue }
      let unique = UniqueKey(path: prefix + definition.name, key: key)
      if !keys.contains(unique) { keys.append(unique) }
    }
  }
}
