extension AttributeDefinition {
  /// True for what every resource has without its schema saying so; some schemas list `id` all the same.
  var isCommon: Bool { CommonAttributes.attribute(named: name) != nil }

  /// True for a text that is written and never read, as `password`: its hash is kept apart from the document.
  var isSecret: Bool {
    mutability == .writeOnly && returned == .never && type == .string && !isMultiValued
  }

  /// True for the `type` of a role or an entitlement, which the server sets to the name of the resource type.
  func isTypeName(of resourceType: ResourceType) -> Bool {
    resourceType.isCatalog && name == "type" && mutability == .readOnly && type == .string && !isMultiValued
  }

  /// True for what no answer shows, no filter finds and no index holds.
  var isNeverShown: Bool { returned == .never || mutability == .writeOnly }

  /// True where the attribute and all its sub-attributes are shown without being asked for.
  var isShownWhole: Bool {
    returned != .request && !isNeverShown && subAttributes.allSatisfy(\.isShownWhole)
  }
}
