extension JSONObject {
  /// In a document: the value of the attribute that is kept as a link, on top or inside its extension. An extension of
  /// which nothing is left goes as well.
  public subscript(link: LinkDefinition) -> JSON? {
    get {
      guard let urn = link.extensionURN else { return self[link.name] }
      return self[urn]?[link.name]
    }
    set {
      guard let urn = link.extensionURN else { return self[link.name] = newValue }
      var content = self[urn]?.objectValue ?? JSONObject()
      content[link.name] = newValue
      self[urn] = content.isEmpty ? nil : .object(content)
    }
  }
}
