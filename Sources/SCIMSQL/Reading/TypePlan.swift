import SCIMCore

/// A type with the numbers by which the database knows it and the attributes of its links.
final class TypePlan {
  /// A class, since it is gone through for each resource that is shown.
  final class Link {
    let attribute: String
    let kind: LinkDefinition.Kind
    /// Of the attribute that holds the links: this one, or for `memberOf` that of the owner.
    let number: Int64

    init(attribute: String, kind: LinkDefinition.Kind, number: Int64) {
      self.attribute = attribute
      self.kind = kind
      self.number = number
    }
  }

  /// A catalogue attribute that shows what the resources above grant.
  struct Inherited {
    let attribute: String
    /// Of the attribute by which those above have members.
    let members: Int64
    /// Of the attribute by which they grant.
    let granted: Int64
  }

  let type: ResourceType
  let number: Int64
  let links: [Link]
  let inherited: [Inherited]
  /// True where links of owners may be many, so that those of one attribute are not read along with the others'.
  var hasMembers: Bool { type.hasMembers }

  init(type: ResourceType, number: Int64, links: [Link], inherited: [Inherited]) {
    self.type = type
    self.number = number
    self.links = links
    self.inherited = inherited
  }

  /// The catalogue attribute with that number.
  func catalogAttribute(_ number: Int64) -> String? {
    for link in links where link.number == number {
      if case .catalog = link.kind { return link.attribute }
    }
    return nil
  }
}

extension SQLReader {
  func plan(for type: ResourceType) throws(SCIMError) -> TypePlan {
    if let known = names.plan(for: type) { return known }
    let number = try number(ofType: type.name)
    var links: [TypePlan.Link] = []
    for link in type.links {
      let attribute: Int64
      switch link.kind {
      case .members, .catalog: attribute = try self.number(ofAttribute: link.attribute, type: number)
      case .memberOf(let ownerType, let ownerAttribute):
        attribute = try self.number(ofAttribute: ownerAttribute, type: self.number(ofType: ownerType))
      }
      links.append(TypePlan.Link(attribute: link.attribute, kind: link.kind, number: attribute))
    }
    let inherited = try inherited(of: type)
    let plan = TypePlan(type: type, number: number, links: links, inherited: inherited)
    // A number that is still to be given would stay unknown.
    if number != Self.unknown, !links.contains(where: { $0.number == Self.unknown }),
      !inherited.contains(where: { $0.members == Self.unknown || $0.granted == Self.unknown })
    {
      names.add(plan)
    }
    return plan
  }

  private func inherited(of type: ResourceType) throws(SCIMError) -> [TypePlan.Inherited] {
    var found: [TypePlan.Inherited] = []
    for link in type.links {
      guard let inheritance = link.inheritance,
        case .memberOf(let owner, let members)? = type.link(for: inheritance.through)?.kind
      else { continue }
      let number = try number(ofType: owner)
      found.append(
        TypePlan.Inherited(
          attribute: link.attribute, members: try self.number(ofAttribute: members, type: number),
          granted: try self.number(ofAttribute: inheritance.attribute, type: number)))
    }
    return found
  }
}
