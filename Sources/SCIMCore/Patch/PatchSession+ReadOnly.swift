/// Operations on readOnly attributes: a value equal to the present one is tolerated, since clients repeat what they
/// were given (Okta sends `id` with each rename); any other is refused.
extension PatchSession {
  mutating func applyReadOnly(_ kind: PatchOperation.Kind, to target: PatchTarget, value: JSON?) throws(SCIMError) {
    let refusal = SCIMError(.mutability, "'\(target.name)' is readOnly.", attribute: target.name)
    guard kind != .remove, target.filter == nil, let value else { throw refusal }
    if isJudging { return }
    let present = try presentValue(of: target)
    // Each element given may be held against each that is there.
    try budget.take((value.arrayValue?.count ?? 1) * (present?.steps ?? 1))
    guard Self.repeats(value, of: present, kind: kind) else { throw refusal }
  }

  private mutating func presentValue(of target: PatchTarget) throws(SCIMError) -> JSON? {
    let reference = target.reference
    if reference.home == .common, reference.attribute.name == CommonAttributes.id.name { return .string(id) }
    var value = self.value(of: reference)
    if value == nil {
      let resource = try rendered()
      switch reference.home {
      case .common, .core: value = resource[reference.attribute.name]
      case .extension(let urn): value = resource[urn]?[reference.attribute.name]
      }
    }
    guard let sub = reference.sub else { return value }
    if let part = value?[sub.name] { return part }
    // What is filled in when the resource is shown is not stored with the rest.
    guard type.isFilled(reference), case .extension(let urn) = reference.home else { return nil }
    return try rendered()[urn]?[reference.attribute.name]?[sub.name]
  }

  /// True where `given` says nothing that `present` does not say. An object may leave members away; an array that
  /// replaces must have the same number of elements.
  static func repeats(_ given: JSON, of present: JSON?, kind: PatchOperation.Kind) -> Bool {
    guard let present, !present.isUnassigned else { return given.isUnassigned }
    switch (given, present) {
    case (.object(let object), .object(let known)):
      return object.members.allSatisfy { repeats($0.value, of: known.value(ignoringCase: $0.key), kind: kind) }
    case (.array(let elements), .array(let known)):
      guard kind == .add || elements.count == known.count else { return false }
      return elements.allSatisfy { element in known.contains { repeats(element, of: $0, kind: kind) } }
    default:
      return given == present
    }
  }
}
