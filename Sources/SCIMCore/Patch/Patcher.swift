/// Applies PATCH operations to a resource (RFC 7644 section 3.5.2).
///
/// Pure: it reads and writes nothing but its arguments.
public enum Patcher {
  /// Looks up what elements of a catalogue attribute name: for each the element that a link to that resource is shown as,
  /// or nil where it names none.
  public typealias CatalogLookUp =
    (_ link: LinkDefinition, _ elements: [JSONObject]) throws(SCIMError) -> [JSONObject?]

  /// The state after all operations, each applied to the result of the one before; all of them or, by an error, none.
  ///
  /// - Parameters:
  ///   - operations: As `PatchRequest` gives them.
  ///   - document: The stored document, with the elements of catalogue attributes (`roles`) as ordinary elements and
  ///     without those of `members` links, which are never needed.
  ///   - id: The id of the resource; an operation that repeats it changes nothing.
  ///   - rendered: The resource as a client sees it, members apart; asked for at most once, and only where an operation
  ///     names a readOnly attribute, since one that repeats the present value is tolerated.
  ///   - budget: The work that the operations may ask for, shared by those of one request.
  ///   - catalog: Finds what elements of a catalogue attribute name, so that what is assigned by name is removed by name or
  ///     id, and the other way round.
  ///
  /// Errors: `noTarget` (a remove without path, a value path that chooses nothing), `invalidPath`, `invalidFilter`,
  /// `invalidValue`, `mutability`, and in the strict profile `invalidSyntax` for unknown names. Whether required
  /// attributes are there in the end and references exist is for the caller to check. `tooMany` where the budget ends.
  public static func apply(
    _ operations: [PatchOperation], to document: JSONObject, type: ResourceType, profile: Profile, id: String,
    budget: WorkBudget = WorkBudget.write,
    rendered: @escaping () throws(SCIMError) -> JSONObject = { () throws(SCIMError) in JSONObject() },
    catalog: CatalogLookUp? = nil
  ) throws(SCIMError) -> PatchOutcome {
    var session = PatchSession(
      document: document, type: type, profile: profile, id: id, budget: budget, catalog: catalog,
      rendered: rendered)
    for operation in PatchOperation.joining(operations, type: type, profile: profile) {
      try session.apply(operation)
    }
    return try session.finish(from: document)
  }

  /// Refuses what can be told to be wrong without the resource: paths, types of values, what no resource of the type may
  /// become. The errors are those of `apply`.
  ///
  /// - Returns: what the operations say of the password, and names that the type lacks, whatever the resource is.
  public static func judge(
    _ operations: [PatchOperation], type: ResourceType, profile: Profile
  ) throws(SCIMError) -> Judgement {
    var session = PatchSession(
      document: JSONObject(), type: type, profile: profile, id: "", budget: WorkBudget.write,
      rendered: { () throws(SCIMError) in JSONObject() })
    session.isJudging = true
    for operation in operations { try session.apply(operation) }
    var judgement = Judgement(unknownNames: session.unknown.paths)
    if case .set(let plain) = session.password { judgement.password = plain }
    return judgement
  }

  /// What operations say whatever the resource is.
  public struct Judgement: Sendable, Equatable {
    /// The password that they set in the end, so that it can be hashed before the resource is held; nil where they set
    /// none.
    public var password: String?
    /// Names that no schema of the type has: passed over, the first few of them.
    public var unknownNames: [String] = []
  }
}
