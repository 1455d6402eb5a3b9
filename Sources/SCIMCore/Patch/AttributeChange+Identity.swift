/// When two elements of a list are the same.
extension AttributeChange {
  /// True where adding `new` beside `old` would say nothing new: plain elements with the same sub-attributes but for
  /// `primary` and `display`, catalogue elements with the same `value`, and the same `type` where both have one.
  func isSame(_ old: JSON, _ new: JSON) -> Bool {
    guard case .object(let left) = old, case .object(let right) = new else { return equal(old, new, definition) }
    if isCatalog {
      let type = definition.subAttribute(named: "type")
      let isSameType = left["type"] == nil || right["type"] == nil || equal(left["type"], right["type"], type)
      return isSameType && equal(left["value"], right["value"], definition.subAttribute(named: "value"))
    }
    return definition.subAttributes.allSatisfy { sub in
      if sub.name == "primary" || sub.name == "display" || sub.mutability == .readOnly { return true }
      return equal(left[sub.name], right[sub.name], sub)
    }
  }

  /// True where `given`, an element in the value of a remove, names the element: each sub-attribute that it has is the
  /// same, but for those that only describe, unless there is no other.
  func names(_ given: JSON, _ element: JSON) -> Bool {
    guard case .object(let object) = given, case .object(let present) = element else {
      return equal(given, element, definition)
    }
    let descriptive = ["primary", "display", "$ref"]
    let telling = object.members.filter { !descriptive.contains($0.key) }
    return (telling.isEmpty ? object.members : telling).allSatisfy { member in
      equal(member.value, present[member.key], definition.subAttribute(named: member.key))
    }
  }

  private func equal(_ left: JSON?, _ right: JSON?, _ definition: AttributeDefinition?) -> Bool {
    if left == right { return true }
    guard case .string(let left)? = left, case .string(let right)? = right else { return false }
    let isExact = definition?.isCaseExact ?? true
    return isExact
      ? Folding.normalize(left).utf8.elementsEqual(Folding.normalize(right).utf8)
      : Folding.fold(left).utf8.elementsEqual(Folding.fold(right).utf8)
  }
}
