import SCIMCore

/// The stored document of a resource as JSON, for operations that change it.
enum StoredDocument {
  /// The document without its `id`, as the store takes it back.
  ///
  /// - Throws: `internalError` where the store holds something that is no JSON object.
  static func parse(_ stored: StoredResource) throws(SCIMError) -> JSONObject {
    let parsed: JSON
    do {
      parsed = try JSON(parsing: stored.document)
    } catch {
      throw SCIMError(.internalError, "the stored document of a \(stored.type) is broken")
    }
    guard case .object(var object) = parsed else {
      throw SCIMError(.internalError, "the stored document of a \(stored.type) is no object")
    }
    object["id"] = nil
    return object
  }

  /// True where the document has one of these members at its top.
  ///
  /// - Throws: `internalError` where the store holds something that is no JSON object.
  static func has(anyOf names: [String], _ stored: StoredResource) throws(SCIMError) -> Bool {
    do {
      return try stored.document.withUnsafeBytes { try !JSONMemberReader.members(names, of: $0).isEmpty }
    } catch {
      throw SCIMError(.internalError, "the stored document of a \(stored.type) is broken")
    }
  }

  /// The member of that name at the top of the document.
  ///
  /// - Throws: `internalError` where the store holds something that is no JSON object.
  static func member(_ name: String, of stored: StoredResource) throws(SCIMError) -> JSON? {
    do {
      return try stored.document.withUnsafeBytes { try JSONMemberReader.members([name], of: $0)[name] }
    } catch {
      throw SCIMError(.internalError, "the stored document of a \(stored.type) is broken")
    }
  }

  /// A document that takes the place of another, with the attributes that no client sees (`writeOnly`) as they were where
  /// it says nothing of them: nobody can send back what was not shown.
  static func keepingWriteOnly(of old: JSONObject, in document: JSONObject, type: ResourceType) -> JSONObject {
    var result = document
    func keep(_ schema: SchemaDefinition, from old: JSONObject, in content: inout JSONObject) {
      for attribute in schema.attributes where attribute.mutability == .writeOnly {
        if content[attribute.name] == nil, let value = old[attribute.name] { content[attribute.name] = value }
      }
    }
    keep(type.schema, from: old, in: &result)
    for one in type.extensions {
      guard let before = old[one.schema.id]?.objectValue else { continue }
      var content = result[one.schema.id]?.objectValue ?? JSONObject()
      keep(one.schema, from: before, in: &content)
      if !content.isEmpty { result[one.schema.id] = .object(content) }
    }
    return result == document ? document : ResourceDocument.ordered(result, type: type)
  }

  /// The document with the attribute of a link set to these elements, in its place in schema order, or taken out for
  /// none.
  static func placing(
    _ elements: [JSON], link: LinkDefinition, in document: JSONObject, type: ResourceType
  ) -> JSONObject {
    var document = document
    guard link.extensionURN == nil else {
      if elements.isEmpty, document[link] == nil { return document }
      document[link] = elements.isEmpty ? nil : .array(elements)
      // The extension may come or go with it.
      return ResourceDocument.ordered(document, type: type)
    }
    let attribute = link.name
    guard !elements.isEmpty else {
      document[attribute] = nil
      return document
    }
    if document[attribute] != nil {
      document[attribute] = .array(elements)
      return document
    }
    let rank = type.schema.place(of: attribute) ?? type.schema.attributes.count
    let position =
      document.members.firstIndex { member in
        if let other = type.schema.place(of: member.key) { return other > rank }
        return type.extension(urn: member.key) != nil
      } ?? document.members.count
    document.members.insert(JSONObject.Member(key: attribute, value: .array(elements)), at: position)
    return document
  }
}
