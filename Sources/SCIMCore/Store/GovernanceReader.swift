/// Reads for reports on who holds what: whole walks of one organisation, page by page.
///
/// A walk is of one moment where it is made in one `snapshot`: what is committed meanwhile it does not see. A held snapshot
/// keeps the engine's log from being emptied, so a report lets go of it as soon as it can.
public protocol GovernanceReader: StoreReader {
  /// What reports ask of one organisation.
  func reports(of organization: OrganizationID) -> any TenantReports
}

/// What reports on who holds what ask of one organisation.
public protocol TenantReports: TenantReader {
  /// The types whose resources hold roles or entitlements, such as `User`.
  func holderTypes() throws(SCIMError) -> [ResourceType]

  /// How many resources the organisation has of a type.
  func count(of type: ResourceType) throws(SCIMError) -> Int

  /// Every role and entitlement of the organisation, by type and then by creation. They are few beside their
  /// assignments: some hundred bytes each, all at once.
  func catalogEntries() throws(SCIMError) -> [CatalogEntry]

  /// What the resources of one of the `holderTypes` hold, in the order of their creation.
  ///
  /// - Parameters:
  ///   - after: where the page before ended (`HolderPage.next`); nil for the first.
  ///   - limit: how many resources are looked at, at least 1.
  func holders(
    of type: ResourceType, after: Int64?, limit: Int
  ) throws(SCIMError) -> HolderPage

  /// The values of roles and entitlements that resources hold or grant without a link to the catalogue, each with how
  /// many do, in the order of attribute and value. One is handed out at a time; `body` gives false to end the walk.
  func forEachUnmatchedValue(
    _ body: (UnmatchedValue) throws(SCIMError) -> Bool
  ) throws(SCIMError)
}

/// One stretch of a walk over holders.
public struct HolderPage: Sendable {
  /// The resources that hold something.
  public var holders: [Holder]
  /// How many resources were looked at.
  public var seen: Int
  /// Where the next page begins; nil on the last.
  public var next: Int64?

  public init(holders: [Holder], seen: Int, next: Int64?) {
    self.holders = holders
    self.seen = seen
    self.next = next
  }
}

/// A resource that holds roles or entitlements.
public struct Holder: Sendable {
  /// The name of its type, for example `User`.
  public var type: String
  public var id: String
  /// The stored document, without linked elements.
  public var document: JSONObject
  /// The engine's numbers of the catalogue entries that it is linked to.
  public var linked: [Int64]
  /// Elements that match nothing, as they were sent, with the catalogue that they were meant for.
  public var unmatched: [(schema: String, element: JSONObject)]
  /// What it has from the groups that it is in, directly or through others, in the order in which these were made.
  public var granted: [Grant] = []

  /// What one group grants.
  public struct Grant: Sendable, Equatable {
    /// The id of the group.
    public var id: String
    /// Its name; the id where it has none.
    public var display: String
    /// The engine's numbers of the catalogue entries.
    public var entries: [Int64]

    public init(id: String, display: String, entries: [Int64]) {
      self.id = id
      self.display = display
      self.entries = entries
    }
  }

  public init(
    type: String, id: String, document: JSONObject, linked: [Int64],
    unmatched: [(schema: String, element: JSONObject)]
  ) {
    self.type = type
    self.id = id
    self.document = document
    self.linked = linked
    self.unmatched = unmatched
  }
}

/// A value that resources hold and that is linked to nothing in the catalogue.
public struct UnmatchedValue: Sendable, Equatable {
  /// The URN of the catalogue's base schema that the value was meant for.
  public var schema: String
  /// `value`, `type` and `display` as one of the holders has them; empty where it has none.
  public var value: String
  public var type: String
  public var display: String
  /// How many resources hold it; values that differ in letter case alone are one.
  public var holders: Int
  /// What the first of them is called, and its id.
  public var example: String
  public var exampleID: String

  public init(
    schema: String, value: String, type: String, display: String, holders: Int, example: String, exampleID: String
  ) {
    self.schema = schema
    self.value = value
    self.type = type
    self.display = display
    self.holders = holders
    self.example = example
    self.exampleID = exampleID
  }
}
