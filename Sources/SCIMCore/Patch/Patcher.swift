/// Applies PATCH operations to a resource (RFC 7644 section 3.5.2).
///
/// Pure: it reads and writes nothing but its arguments.
public enum Patcher {
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
  ///
  /// Errors: `noTarget` (a remove without path, a value path that chooses nothing), `invalidPath`, `invalidFilter`,
  /// `invalidValue`, `mutability`, and in the strict profile `invalidSyntax` for unknown names. Whether required
  /// attributes are there in the end and references exist is for the caller to check. `tooMany` where the budget ends.
  public static func apply(
    _ operations: [PatchOperation], to document: JSONObject, type: ResourceType, profile: Profile, id: String,
    budget: WorkBudget = WorkBudget.write,
    rendered: @escaping () throws(SCIMError) -> JSONObject = { () throws(SCIMError) in JSONObject() }
  ) throws(SCIMError) -> PatchOutcome {
    var session = PatchSession(
      document: document, type: type, profile: profile, id: id, budget: budget, rendered: rendered)
    for operation in PatchOperation.joining(operations, type: type, profile: profile) {
      try session.apply(operation)
    }
    return session.finish(from: document)
  }

  /// The password that the operations set in the end, whatever the resource is: it can be hashed before the resource is
  /// held. Nil where they set none, or are refused for what they say of it.
  public static func password(
    setBy operations: [PatchOperation], type: ResourceType, profile: Profile
  ) -> String? {
    var session = PatchSession(
      document: JSONObject(), type: type, profile: profile, id: "", budget: WorkBudget.write,
      rendered: { () throws(SCIMError) in JSONObject() })
    session.looksForPasswordAlone = true
    // A password is simple: no path to it holds a filter.
    for operation in operations where operation.path?.utf8.contains(UInt8(ascii: "[")) != true {
      do { try session.apply(operation) } catch { continue }
    }
    guard case .set(let plain) = session.password else { return nil }
    return plain
  }
}
