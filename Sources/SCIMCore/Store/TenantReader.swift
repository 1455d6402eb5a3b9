/// Everything of one organisation: without it no resource can be reached, and with it none of another organisation.
///
/// It belongs to the thread of the `StoreReader` that gave it, and sees that reader's snapshots: each call one, and all
/// calls inside `snapshot` the same. Errors are `SCIMError`s;
/// what the engine could not do is `internalError`, whose detail is for the log alone. Every read takes what it costs from
/// `budget`, and throws what that does where it ends.
public protocol TenantReader {
  var organization: OrganizationID { get }

  /// How much the present request may still ask of this thread: that of the reader.
  var budget: WorkBudget { get nonmutating set }

  /// Reads that belong together: all of them see one snapshot, whatever is committed meanwhile. Inside another it is that
  /// one's, which goes on behind it.
  func snapshot<Value>(_ body: () throws(SCIMError) -> Value) throws(SCIMError) -> Value

  /// Lets go of the reader's snapshot, so that the next call sees what has been committed since. Not to be called inside
  /// `snapshot`, which it would end.
  func release()

  /// The schemas and resource types that the organisation has: what all have, and its own. The same object until its
  /// definitions change.
  func registry() throws(SCIMError) -> SchemaRegistry

  /// The organisation's own definitions, in the order in which they came.
  func definitions() throws(SCIMError) -> [Definition]

  /// The resource of that type with that id; nil where the organisation has none.
  func resource(
    id: String, type: ResourceType, links: LinkSelection
  ) throws(SCIMError) -> StoredResource?

  /// The resource with that id of one of the types with these names, with its display; nil where the organisation has
  /// none.
  func referenced(
    id: String, types: [String]
  ) throws(SCIMError) -> ReferencedResource?

  /// The resource of that type with that handle, without links; nil where the organisation has none.
  func resource(
    handle: Int64, type: ResourceType
  ) throws(SCIMError) -> StoredResource?

  /// The ids of the resources of a type that share a value of an attribute with others, by value; no more than `limit`
  /// values.
  func resourcesSharing(
    _ path: String, of type: ResourceType, limit: Int
  ) throws(SCIMError) -> [[String]]

  /// The change of the organisation's definitions that is under way; nil where there is none.
  func pendingChange() throws(SCIMError) -> PendingChange?

  /// The number of the change that is under way, which is not read; nil where there is none.
  func numberOfChange() throws(SCIMError) -> Int64?

  /// One page of what matches, with the true total.
  func search(_ query: SearchQuery) throws(SCIMError) -> SearchPage

  /// How many resources hold links to this one through catalogue attributes (`totalAssignmentsUsed`).
  func assignmentsUsed(of handle: Int64) throws(SCIMError) -> Int

  /// How many elements an owner's link attribute has, counted no further than `limit`.
  func linkCount(
    owner: Int64, attribute: String, limit: Int
  ) throws(SCIMError) -> Int
}
