/// What the store indexes of a document: a row for each filterable value, and the values that must be unique.
public enum DocumentIndex {
  /// The rows for every filterable leaf, in the order of the document's schemas; equal documents give equal rows.
  ///
  /// Left out are `id` and `meta`, which the store has in columns, the base URN in `schemas`, which every resource has,
  /// and what is never returned. An empty text has the key "", so that `eq ""` finds it; `pr` must pass over it. Each
  /// element of a list has its position. Of the rows of one path exactly one is the sort key: the primary element's,
  /// else the first.
  public static func keys(of document: JSONObject, type: ResourceType) -> [IndexKey] {
    var rows: [IndexKey] = []
    rows.reserveCapacity(32)
    addExtensions(of: document, type: type, to: &rows)
    let externalID = CommonAttributes.externalId
    if let value = document[externalID.name] { add(value, of: externalID, path: externalID.name, to: &rows) }
    for definition in type.schema.attributes where !definition.isCommon {
      guard let value = document[definition.name] else { continue }
      add(value, of: definition, path: definition.name, to: &rows)
    }
    for definition in type.extensions {
      guard let content = document[definition.schema.id]?.objectValue else { continue }
      for attribute in definition.schema.attributes {
        guard let value = content[attribute.name] else { continue }
        add(value, of: attribute, path: definition.schema.id + ":" + attribute.name, to: &rows)
      }
    }
    return rows
  }

  /// The rows that are in `old` alone and in `new` alone: what an update removes and adds.
  public static func difference(
    old: [IndexKey], new: [IndexKey]
  ) -> (removed: [IndexKey], added: [IndexKey]) {
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

  /// The values that no other resource of the type may have: `externalId`, and simple attributes of the base schema and
  /// the extensions with uniqueness `server` or `global`. Absent and empty values give none.
  public static func uniqueKeys(of document: JSONObject, type: ResourceType) -> [UniqueKey] {
    var keys: [UniqueKey] = []
    addUnique(of: document, CommonAttributes.externalId, prefix: "", to: &keys)
    for definition in type.schema.attributes where !definition.isCommon {
      addUnique(of: document, definition, prefix: "", to: &keys)
    }
    for definition in type.extensions {
      guard let content = document[definition.schema.id]?.objectValue else { continue }
      for attribute in definition.schema.attributes {
        addUnique(of: content, attribute, prefix: definition.schema.id + ":", to: &keys)
      }
    }
    return keys
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

  // MARK: Rows

  private static func addExtensions(of document: JSONObject, type: ResourceType, to rows: inout [IndexKey]) {
    let name = CommonAttributes.schemas.name
    for definition in type.extensions where document[definition.schema.id] != nil {
      let isFirst = rows.isEmpty
      let key = SortableKey.text(Folding.normalize(definition.schema.id)).text
      rows.append(IndexKey(path: name, key: key, element: rows.count, isSortKey: isFirst))
    }
  }

  private static func add(
    _ value: JSON, of definition: AttributeDefinition, path: String, to rows: inout [IndexKey]
  ) {
    guard !definition.isNeverShown else { return }
    let elements = list(value)
    guard definition.type == .complex else {
      return addRows(of: definition, path: path, primary: nil, to: &rows) { append in
        for (index, element) in elements.enumerated() { append(element, index) }
      }
    }
    let primary = elements.firstIndex { $0["primary"] == true }
    for sub in definition.subAttributes where !sub.isNeverShown {
      addRows(of: sub, path: path + "." + sub.name, primary: primary, to: &rows) { append in
        for (index, element) in elements.enumerated() {
          guard let value = element[sub.name] else { continue }
          for value in list(value) { append(value, index) }
        }
      }
    }
  }

  /// Adds the rows of one path, as `forEach` names the values with the numbers of their elements, and marks the sort
  /// key.
  private static func addRows(
    of definition: AttributeDefinition, path: String, primary: Int?, to rows: inout [IndexKey],
    _ forEach: (_ append: (_ value: JSON, _ element: Int) -> Void) -> Void
  ) {
    let start = rows.count
    forEach { value, element in
      guard let key = key(for: value, of: definition) else { return }
      let row = IndexKey(path: path, key: key, element: element, isSortKey: false)
      // Only a list within one element can give the same row twice: its rows are the last ones.
      let isRepeated = rows[start...].reversed().prefix { $0.element == element }.contains(row)
      if !isRepeated { rows.append(row) }
    }
    guard start < rows.count else { return }
    let sortRow = rows[start...].firstIndex { $0.element == primary } ?? start
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
