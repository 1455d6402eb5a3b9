/// What a PATCH request makes of a resource.
public struct PatchOutcome: Sendable {
  /// The new document in the form that is stored (`ResourceDocument.ordered`). Catalogue elements are in it, changed
  /// like plain ones; those that operations assigned are as the catalogue has them, where it has them.
  public var document: JSONObject
  /// False where the document is the one given; password and memberships apart.
  public var isDocumentChanged: Bool
  public var password: PatchedPassword
  /// What happens to the elements of `members` links, by attribute, in the order in which to do it. An attribute that
  /// no operation touched is absent.
  public var membership: [String: [MembershipChange]]

  public init(
    document: JSONObject, isDocumentChanged: Bool, password: PatchedPassword = .keep,
    membership: [String: [MembershipChange]] = [:]
  ) {
    self.document = document
    self.isDocumentChanged = isDocumentChanged
    self.password = password
    self.membership = membership
  }

  /// The new state in the form that POST and PUT have: links apart from the document, each catalogue attribute in
  /// `links`, empty where there is no element of it. `members` links are in `membership` alone.
  public func resource(for type: ResourceType) -> NormalizedResource {
    var resource = NormalizedResource(document: document)
    for link in type.links {
      let elements = resource.document[link]?.arrayValue ?? []
      resource.document[link] = nil
      if case .catalog = link.kind { resource.links[link.attribute] = elements.compactMap(\.objectValue) }
    }
    if case .set(let plain) = password { resource.password = plain }
    return resource
  }
}

/// What a PATCH request does to the password.
public enum PatchedPassword: Sendable, Equatable {
  case keep
  case clear
  /// The new password as sent, to be hashed.
  case set(String)
}

/// One change of a `members` link, to be made in order, each on the result of the one before.
///
/// The patcher never sees the members; whoever applies the changes does, in the same transaction. Elements are
/// normalised objects with a `value` that is not empty, no two with the same `value` and `type`.
public enum MembershipChange: Sendable {
  /// Adds those that are no members yet.
  case add([JSONObject])
  /// Removes those of these that are members.
  case remove([JSONObject])
  /// Removes the members that fulfil the inner filter; the only removal for which members must be loaded.
  case removeMatching(ResolvedFilter)
  case removeAll
  /// Makes these the members, all of them and no others.
  case replaceAll([JSONObject])
  /// Refuses the request with `noTarget` where none of these is a member.
  case require([JSONObject])
  /// Refuses the request with `noTarget` where no member fulfils the inner filter.
  case requireMatching(ResolvedFilter)
  /// Refuses the request where a member fulfils the inner filter.
  case refuseMatching(ResolvedFilter, SCIMError)
  /// Refuses the request: what it asks of the members required before cannot be done.
  case refuse(SCIMError)
}
