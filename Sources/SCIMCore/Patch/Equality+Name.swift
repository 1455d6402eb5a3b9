extension PatchPath.Equality {
  /// True where it says what an element of the catalogue is, and not which of the elements that are there is meant: to
  /// make an element of it would assign what nobody has asked for.
  var isName: Bool { ["value", "display", "$ref"].contains(attribute.name) }
}
