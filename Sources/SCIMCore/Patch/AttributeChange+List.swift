/// Operations on multi-valued attributes, whole or by elements.
extension AttributeChange {
  /// The new value of a multi-valued attribute.
  func list(_ present: JSON?, value: JSON?) throws(SCIMError) -> JSON? {
    try budget.take(steps(present))
    var change = ListChange(present?.arrayValue ?? [])
    if target.filter != nil || target.sub != nil {
      try changeElements(&change, value: value)
    } else {
      try changeWhole(&change, value: value)
    }
    let result = change.settled()
    return result.isEmpty ? nil : .array(result)
  }

  /// About how many steps the change needs besides what its filter takes: each element that is there is brought to the
  /// form in which equal ones are told.
  private func steps(_ present: JSON?) -> Int {
    guard let present else { return 0 }
    // An element that is changed is copied and compared with all others.
    if target.sub != nil { return present.steps * Self.stepsOfChange }
    if target.filter != nil { return present.steps * Self.stepsOfLook }
    // Taking the whole list away or another in its place looks at none of it.
    return kind == .replace ? 0 : present.steps * Self.stepsOfLook
  }

  // Measured on lists of thousands of elements, in steps for each simple value.
  private static let stepsOfLook = 10
  private static let stepsOfChange = 24

  // MARK: The whole list

  private func changeWhole(_ change: inout ListChange, value: JSON?) throws(SCIMError) {
    if kind == .remove, value ?? .null == .null {
      change.removeAll()
      return
    }
    if kind == .remove { try refuseValueOfRemove() }
    let given = try normalized(value)
    switch kind {
    case .add:
      var known = KnownElements(change.elements, change: self)
      for element in given where known.insert(element) { change.append(element) }
    case .replace:
      change.removeAll()
      given.forEach { change.append($0) }
    case .remove:
      let named = NamedElements(try withIDs(given), change: self)
      change.removeAll { _, element in named.contains(element) }
    }
  }

  /// The elements that a value for the whole list gives. One element stands for a list of one where it is added.
  ///
  /// - Throws: `invalidValue` also where an element to be removed says nothing: nobody may take that for a removal. One
  ///   that is marked as inherited is passed over, as in all writes.
  func normalized(_ value: JSON?) throws(SCIMError) -> [JSON] {
    guard var value else { return [] }
    if kind == .add, !value.isUnassigned, value.arrayValue == nil { value = .array([value]) }
    if kind == .remove {
      for element in value.arrayValue ?? [value] {
        let named = try ValueNormalizer.normalizeElement(
          element, as: definition, path: target.name, profile: profile, unknown: unknown)
        let isInherited = ValueNormalizer.isInherited(element, of: definition, profile: profile)
        guard element != "", named != nil || isInherited else {
          throw SCIMError(
            .invalidValue, "Each element of '\(target.name)' to be removed must have a value.", attribute: target.name)
        }
      }
    }
    return try ValueNormalizer.normalize(value, as: definition, path: target.name, profile: profile, unknown: unknown)?
      .arrayValue ?? []
  }

  // MARK: Chosen elements

  private func changeElements(_ change: inout ListChange, value: JSON?) throws(SCIMError) {
    var chosen = Array(change.elements.indices)
    if let filter = target.filter {
      let evaluator = FilterEvaluator(filter)
      chosen.removeAll()
      for (index, element) in change.elements.enumerated() {
        if try evaluator.matches(element: element, budget: budget) { chosen.append(index) }
      }
    }
    if let sub = target.sub {
      if chosen.isEmpty {
        return try create(sub, in: &change, value: value)
      }
      for index in chosen {
        let object = try setting(
          sub, of: change.elements[index].objectValue ?? JSONObject(), to: kind == .remove ? nil : value)
        change.set(.object(object), at: index, marksPrimary: sub.name == "primary")
      }
      change.removeAll { _, element in element == .object(JSONObject()) }
      return
    }
    switch kind {
    case .remove:
      change.remove(at: chosen)
    case .add, .replace:
      guard !chosen.isEmpty else { throw noTarget }
      try changeWholeElements(chosen, in: &change, value: value)
    }
  }

  private func changeWholeElements(
    _ chosen: [Int], in change: inout ListChange, value: JSON?
  ) throws(SCIMError) {
    guard let sent = try element(of: value),
      let given = try ValueNormalizer.normalizeElement(
        sent, as: definition, path: target.name, profile: profile, unknown: unknown)
    else {
      if kind == .replace { change.remove(at: chosen) }
      return
    }
    guard kind == .add, case .object(let object) = given else {
      // Several elements replaced by one value are that value several times, which a list holds once.
      change.set(given, at: chosen[0], marksPrimary: true)
      return change.remove(at: chosen.dropFirst())
    }
    for index in chosen {
      let merged = try merging(sent, object, into: change.elements[index].objectValue ?? JSONObject())
      change.set(.object(merged), at: index, marksPrimary: object["primary"] == true)
    }
  }

  /// The one element of a value for whole elements: the value itself, or when lenient what a list of one holds.
  func element(of value: JSON?) throws(SCIMError) -> JSON? {
    guard case .array(let elements)? = value else { return value == .null ? nil : value }
    guard elements.count <= 1, profile.isLenient else {
      throw SCIMError(
        .invalidValue, "The elements chosen in '\(target.name)' can be replaced by one element only.",
        attribute: target.name)
    }
    return elements.first
  }

  /// Makes the element that a value path asks for where none matches: with every equality of its filter, so that the
  /// same path finds it the next time.
  private func create(
    _ sub: AttributeDefinition, in change: inout ListChange, value: JSON?
  ) throws(SCIMError) {
    if kind == .remove { return }
    var object = JSONObject()
    if target.filter != nil {
      guard kind == .add || profile.isLenient, let equalities = target.equalities,
        equalities.allSatisfy({ $0.attribute.mutability != .readOnly }),
        !isCatalog || !equalities.contains(where: \.isName)
      else { throw noTarget }
      for equality in equalities { object[equality.attribute.name] = equality.value }
    }
    guard let value, !value.isUnassigned else { return }
    let stamped = object[sub.name]
    object[sub.name] = value
    guard
      let element = try ValueNormalizer.normalizeElement(
        .object(object), as: definition, path: target.attributeName, profile: profile)
    else { return }
    guard stamped == nil || target.filter.map({ FilterEvaluator.matches($0, element: element) }) ?? true else {
      throw noTarget
    }
    change.append(element)
  }

  private var noTarget: SCIMError {
    SCIMError(.noTarget, "The filter on '\(target.attributeName)' matches no element.", attribute: target.attributeName)
  }
}
