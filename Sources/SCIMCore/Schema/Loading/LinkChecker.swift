/// Checks the links of one resource type: that the attribute can hold them, and that what they name is there.
struct LinkChecker {
  let draft: ResourceTypeDraft
  let schema: SchemaDefinition
  let extensions: [ResourceType.Extension]
  /// All types by their names.
  let drafts: [String: ResourceTypeDraft]
  let problems: ProblemList

  func check(_ link: LinkDefinition, hasSchema: (String) -> Bool, isBaseSchema: (String) -> Bool) {
    checkAttribute(link)
    switch link.kind {
    case .members(let types):
      for (index, type) in types.enumerated() where drafts[type] == nil {
        note("there is no resource type \"\(type)\"", link, "members[\(index)]")
      }
    case .memberOf(let type, let attribute):
      checkMemberOf(link, type: type, attribute: attribute)
    case .catalog(let urn):
      if !hasSchema(urn) {
        note("there is no schema \"\(urn)\"", link, "catalog")
      } else if !isBaseSchema(urn) {
        note("no resource type has the base schema \"\(urn)\"", link, "catalog")
      }
    }
  }

  private func checkAttribute(_ link: LinkDefinition) {
    let home = link.extensionURN.map { urn in extensions.first { $0.schema.id == urn }?.schema } ?? schema
    guard let attribute = home?.attributes.first(where: { $0.name == link.name }) else {
      return note("\(link.extensionURN ?? schema.id) has no attribute \"\(link.name)\"", link)
    }
    guard attribute.isMultiValued, attribute.type == .complex, attribute.subAttribute(named: "value") != nil else {
      return note("a link needs a multi-valued complex attribute with the sub-attribute value", link)
    }
    if case .memberOf = link.kind, attribute.mutability != .readOnly {
      note("shows the other side of a link, so the attribute must be readOnly", link)
    }
  }

  private func checkMemberOf(_ link: LinkDefinition, type: String, attribute: String) {
    guard let owner = drafts[type] else { return note("there is no resource type \"\(type)\"", link, "memberOf") }
    guard let other = owner.links.first(where: { $0.attribute == attribute }), case .members(let types) = other.kind
    else {
      return note("\(type) has no members link \"\(attribute)\"", link, "memberOf")
    }
    if !types.contains(draft.name) {
      note("\(type).\(attribute) does not allow a \(draft.name)", link, "memberOf")
    }
  }

  private func note(_ message: String, _ link: LinkDefinition, _ member: String? = nil) {
    let place = "roster.links.\(link.attribute)" + (member.map { "." + $0 } ?? "")
    problems.add(message, in: draft.file, at: place)
  }
}
