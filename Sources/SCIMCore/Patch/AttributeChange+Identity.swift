/// When two elements of a list are the same.
///
/// Told by values to be hashed, since a list may be as long as a body allows and must not be compared each with each.
extension AttributeChange {
  /// What two elements have in common that are the same: for plain ones all sub-attributes but `primary` and `display`,
  /// for catalogue elements the `value`, to which comes `type` (`isOther`).
  func identity(of element: JSON) -> JSON {
    guard case .object(let object) = element else { return comparable(element, definition) }
    let names = isCatalog ? ["value"] : definition.subAttributes.filter(isTelling).map(\.name)
    return projection(of: object, on: names)
  }

  /// True for catalogue elements of one value that differ in `type`. Where one has none it may name something else, unless
  /// the other is linked, which `$ref` tells.
  func isOther(_ left: JSON, _ right: JSON) -> Bool {
    guard isCatalog else { return false }
    guard let leftType = left["type"], let rightType = right["type"] else {
      let isLinked = left["$ref"] != nil || right["$ref"] != nil
      return !isLinked && (left["type"] != nil || right["type"] != nil)
    }
    let type = definition.subAttribute(named: "type")
    return comparable(leftType, type) != comparable(rightType, type)
  }

  private func isTelling(_ sub: AttributeDefinition) -> Bool {
    sub.name != "primary" && sub.name != "display" && sub.mutability != .readOnly
  }

  /// The object with these members alone, in a form in which equal values are equal.
  func projection(of object: JSONObject, on names: [String]) -> JSON {
    var result = JSONObject()
    for name in names {
      guard let value = object[name] else { continue }
      result.members.append(
        JSONObject.Member(key: name, value: comparable(value, definition.subAttribute(named: name))))
    }
    return .object(result)
  }

  func comparable(_ value: JSON, _ definition: AttributeDefinition?) -> JSON {
    guard case .string(let text) = value else { return value }
    return .string(definition?.isCaseExact ?? true ? Folding.normalize(text) : Folding.fold(text))
  }
}

/// The elements that a list has, for adding what it has not.
struct KnownElements {
  private var elements: [JSON: [JSON]] = [:]
  private let change: AttributeChange

  init(_ known: [JSON], change: AttributeChange) {
    self.change = change
    for element in known { elements[change.identity(of: element), default: []].append(element) }
  }

  /// True, and the element known from now on, where there is none that is the same.
  mutating func insert(_ element: JSON) -> Bool {
    let key = change.identity(of: element)
    guard elements[key, default: []].allSatisfy({ change.isOther($0, element) }) else { return false }
    elements[key, default: []].append(element)
    return true
  }
}

/// The elements in the value of a remove. One names each element that has all of its sub-attributes, but for those that
/// only describe (`primary`, `display`, `$ref`), unless it has no other.
struct NamedElements {
  /// What is named, by the names of the sub-attributes that name it.
  private var projections: [[String]: Set<JSON>] = [:]
  private var values: Set<JSON> = []
  private let change: AttributeChange

  init(_ given: [JSON], change: AttributeChange) {
    self.change = change
    for element in given {
      guard case .object(let object) = element else {
        values.insert(change.comparable(element, change.definition))
        continue
      }
      let names = object.members.map(\.key)
      let telling = names.filter { !["primary", "display", "$ref"].contains($0) }
      let used = telling.isEmpty ? names : telling
      projections[used, default: []].insert(change.projection(of: object, on: used))
    }
  }

  func contains(_ element: JSON) -> Bool {
    guard case .object(let object) = element else {
      return values.contains(change.comparable(element, change.definition))
    }
    return projections.contains { $1.contains(change.projection(of: object, on: $0)) }
  }
}
