/// What one operation is aimed at: an attribute, some elements of it, or a sub-attribute of either.
struct PatchTarget {
  let reference: AttributeReference
  /// Chooses elements of the attribute; nil where all of it is meant.
  var filter: ResolvedFilter?
  /// What an element must hold to be chosen, where the filter says no more than that.
  let equalities: [PatchPath.Equality]?
  /// False where the attribute is named by a member of a value.
  let hasPath: Bool

  init(reference: AttributeReference) {
    hasPath = false
    self.reference = reference
    filter = nil
    equalities = nil
  }

  init(reference: AttributeReference, path: PatchPath) {
    hasPath = true
    self.reference = reference
    filter = path.filter
    equalities = path.equalities
  }

  var attribute: AttributeDefinition { reference.attribute }
  var sub: AttributeDefinition? { reference.sub }
  /// The canonical name, for error texts.
  var name: String { reference.path }
  /// The canonical name of the attribute without the sub-attribute, for error texts.
  var attributeName: String {
    AttributeReference(home: reference.home, attribute: reference.attribute).path
  }
}
