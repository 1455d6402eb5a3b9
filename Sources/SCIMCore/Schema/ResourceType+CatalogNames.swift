extension ResourceType {
  /// The attributes by which assignments name a resource of the catalogue: `displayName`, and `value` of the IETF draft.
  public var catalogNames: [(path: String, definition: AttributeDefinition)] {
    var found: [(String, AttributeDefinition)] = []
    if let display = schema.attribute(named: "displayName") { found.append((display.name, display)) }
    if let urn = countedExtension, let value = self.extension(urn: urn)?.schema.attribute(named: "value") {
      found.append((urn + ":" + value.name, value))
    }
    return found
  }
}
