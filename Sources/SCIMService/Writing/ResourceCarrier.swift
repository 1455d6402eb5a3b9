import SCIMCore

/// Brings the stored resources of a type along when its definition changes or goes.
struct ResourceCarrier {

  private static let page = 500
  private static let namedIDs = 5
  /// So many steps are taken in one of several transactions.
  static let stepsPerTransaction = WorkBudget.writeLimit / 4

  // MARK: What goes

  /// - Throws: `conflict` where there are resources of the type.
  func checkUnused(_ type: ResourceType, in reader: any TenantReader) throws(SCIMError) {
    let count = try reader.search(query(type, .index(offset: 0, count: 0))).total
    guard count > 0 else { return }
    // How often the first ones are assigned is enough to tell what is at stake.
    var assignments = 0
    let first = try reader.search(query(type, .index(offset: 0, count: 100)))
    for stored in first.resources { assignments += try reader.assignmentsUsed(of: stored.handle) }
    let least = first.resources.count < count ? "at least " : ""
    throw SCIMError(
      .conflict,
      "The type \(type.name) is in use: it has \(count) \(count == 1 ? "resource" : "resources"), assigned"
        + " \(least)\(assignments) \(assignments == 1 ? "time" : "times"). Removing it with all of them requires \"?force=true\"."
    )
  }

  /// - Throws: `invalidValue` where the type of that name, which cannot be read, has resources: they cannot be told apart from
  ///   their index without it.
  func checkEmpty(_ name: String, in reader: any TenantReader) throws(SCIMError) {
    let schema = SchemaDefinition(id: "", name: name, text: "", attributes: [], document: JSONObject())
    let type = ResourceType(name: name, endpoint: "", schema: schema, document: JSONObject())
    let count = try reader.search(query(type, .index(offset: 0, count: 0))).total
    guard count > 0 else { return }
    throw SCIMError(
      .invalidValue,
      "The type \(name) cannot be read and has \(count) \(count == 1 ? "resource" : "resources"). Define the schemas that"
        + " it refers to first.")
  }

  /// Deletes resources of a type with their assignments, as many as one of several transactions may; true where none is
  /// left.
  func remove(_ type: ResourceType, in transaction: any TenantTransaction) throws(SCIMError) -> Bool {
    try forEachLeft(type, filter: nil, in: transaction) { (stored) throws(SCIMError) in
      try transaction.delete(stored, type: type)
    }
  }

  /// Removes the values of extensions that the new definition of a type lacks, by the old one and as `remove` does.
  func removeValues(
    from old: ResourceType, to new: ResourceType, in transaction: any TenantTransaction
  ) throws(SCIMError) -> Bool {
    for urn in Self.gone(from: old, to: new) {
      let holders = ResolvedFilter.compare(
        AttributeReference(home: .common, attribute: CommonAttributes.schemas), .eq, .text(urn))
      let isDone = try forEachLeft(old, filter: holders, in: transaction) { (stored) throws(SCIMError) in
        try transaction.budget.take(WriteCost.parsing(stored.document.count))
        var document = try StoredDocument.parse(stored)
        document[urn] = nil
        let ordered = ResourceDocument.ordered(document, type: old)
        _ = try transaction.update(stored, type: old, document: ordered, password: .keep)
        return true
      }
      guard isDone else { return false }
    }
    return true
  }

  /// Calls `body` for one resource after the other that is left, which makes it one that is not, until none is left, which
  /// gives true, or the transaction has had enough or `body` gives false.
  private func forEachLeft(
    _ type: ResourceType, filter: ResolvedFilter?, in transaction: any TenantTransaction,
    _ body: (StoredResource) throws(SCIMError) -> Bool
  ) throws(SCIMError) -> Bool {
    while true {
      let page = try transaction.search(
        query(type, .cursor(after: nil, count: 100), filter: filter))
      if page.resources.isEmpty { return true }
      for stored in page.resources {
        guard transaction.budget.spent < Self.stepsPerTransaction, try body(stored) else { return false }
      }
    }
  }

  // MARK: What stays

  /// What is known of the resources of a type.
  struct Survey: Sendable {
    /// Of those that the change wants written, in order.
    var handles: [Int64] = []
    fileprivate var next: CursorPosition?
    fileprivate var users = ResourceCount()
    fileprivate var misfits = ResourceCount()
  }

  /// How many pages one call looks at, and the steps after which it leaves the rest to the next: large documents take a
  /// while, and a worker has others to serve.
  private static let pagesAtOnce = 10
  private static let stepsAtOnce = 5_000_000

  /// Looks at some resources of a type; true once all were looked at.
  ///
  /// - Throws: `invalidValue` with the number and the first ids of those that do not fit; `conflict` where they have values
  ///   of an extension that goes and that is not forced.
  func survey(
    _ part: IndexChange, isForced: Bool, _ survey: inout Survey, in reader: any TenantReader
  ) throws(SCIMError) -> Bool {
    var findings = Findings(part, isForced: isForced)
    (findings.users, findings.misfits) = (survey.users, survey.misfits)
    var handles: [Int64] = []
    let isDone = try forEach(part.old, from: &survey.next, pages: Self.pagesAtOnce, in: reader) {
      (stored) throws(SCIMError) in
      if let affected = part.affected, try !StoredDocument.has(anyOf: affected, stored) { return }
      try reader.budget.take(2 * WriteCost.parsing(stored.document.count) + WriteCost.attributes(of: part.old))
      let document = try StoredDocument.parse(stored)
      let reordered = try findings.look(at: document, of: stored.id)
      let isReordered = reordered.map { PreparedDocument.encode($0, id: stored.id) != stored.document } ?? false
      if isReordered || part.writesIndex(of: document) { handles.append(stored.handle) }
    }
    survey.handles += handles
    (survey.users, survey.misfits) = (findings.users, findings.misfits)
    if isDone { try findings.check() }
    return isDone
  }

  /// Writes to the index what the change wants of a resource, and its document in the order of the new definition, which
  /// says the same; gives what the new definition has against it.
  func index(_ handle: Int64, _ part: IndexChange, in transaction: any TenantTransaction) throws(SCIMError) -> Misfit? {
    try transaction.budget.take(WriteCost.statement)
    guard let stored = try transaction.resource(handle: handle, type: part.old) else { return nil }
    try transaction.budget.take(WriteCost.statement * 2 + 4 * WriteCost.parsing(stored.document.count))
    let document = try StoredDocument.parse(stored)
    if let error = try transaction.index(stored, document: document) {
      return Misfit(id: stored.id, reason: Misfit.reason(error))
    }
    var findings = Findings(part, isForced: true)
    if let reordered = try findings.look(at: document, of: stored.id) {
      try transaction.rewrite(stored, document: reordered)
    }
    return nil
  }

  private static func gone(from old: ResourceType, to new: ResourceType) -> [String] {
    old.extensions.map(\.schema.id).filter { new.extension(urn: $0) == nil }
  }

  private func query(
    _ type: ResourceType, _ window: SearchQuery.Window, filter: ResolvedFilter? = nil
  ) -> SearchQuery {
    SearchQuery(parts: [SearchQuery.Part(type: type, filter: filter)], window: window, links: .none)
  }

  /// True where there are no more pages.
  private func forEach(
    _ type: ResourceType, from position: inout CursorPosition?, pages: Int, in reader: any TenantReader,
    _ body: (StoredResource) throws(SCIMError) -> Void
  ) throws(SCIMError) -> Bool {
    var count = 0
    repeat {
      let page = try reader.search(query(type, .cursor(after: position, count: Self.page)))
      for stored in page.resources { try body(stored) }
      position = page.next
      count += 1
    } while position != nil && count < pages && reader.budget.spent < Self.stepsAtOnce
    return position == nil
  }

  // MARK: Findings

  /// A resource that does not fit, and why: the attribute, and what the new definition has against its value.
  struct Misfit: Sendable {
    var id: String
    var reason: String

    /// What an error says, as a clause. It names the attribute and no value: what is stored is told to nobody.
    static func reason(_ error: SCIMError) -> String {
      if error.kind == .uniqueness, let attribute = error.attribute { return "'\(attribute)' must be unique" }
      return error.detail.hasSuffix(".") ? String(error.detail.dropLast()) : error.detail
    }
  }

  /// What a change finds among the resources of a type.
  private struct Findings {
    let part: IndexChange
    let isForced: Bool
    let gone: [String]
    var users = ResourceCount()
    var misfits = ResourceCount()

    init(_ part: IndexChange, isForced: Bool) {
      self.part = part
      self.isForced = isForced
      gone = ResourceCarrier.gone(from: part.old, to: part.new)
    }

    /// The document in the order of the new definition where it says the same there; notes where it does not fit.
    mutating func look(at document: JSONObject, of id: String) throws(SCIMError) -> JSONObject? {
      guard part.checksDocuments else { return nil }
      var left = document
      for urn in gone { left[urn] = nil }
      let isUser = left != document
      if isUser {
        users.add(id)
        guard isForced else { return nil }
      }
      do throws(SCIMError) {
        let carried = try Self.carried(left, to: part.new)
        return TypeChange.isSame(carried, document) ? carried : nil
      } catch  where error.kind != .internalError && error.kind != .unavailable {
        misfits.add(id, Misfit.reason(error))
        return nil
      }
    }

    /// The document as the type stores it.
    static func carried(_ document: JSONObject, to type: ResourceType) throws(SCIMError) -> JSONObject {
      var document = document
      var elements: [(LinkDefinition, [JSON])] = []
      for link in type.links {
        guard let unlinked = document[link]?.arrayValue else { continue }
        elements.append((link, unlinked))
        document[link] = nil
      }
      var carried = try TypeChange.carry(document, to: type)
      for (link, unlinked) in elements {
        carried = StoredDocument.placing(unlinked, link: link, in: carried, type: type)
      }
      return carried
    }

    func check() throws(SCIMError) {
      try misfits.check(type: part.new.name)
      if users.count > 0, !isForced {
        throw SCIMError(
          .conflict,
          "\(users.text) of the type \(part.new.name) \(users.count == 1 ? "has" : "have") values of \(gone.joined(separator: ", ")). Removing"
            + " these requires \"?force=true\".")
      }
    }
  }

  /// Counts resources and remembers the first ids, and the first reasons.
  struct ResourceCount: Sendable {
    /// So many different reasons are named.
    private static let namedReasons = 5

    var count = 0
    var ids: [String] = []
    /// Each with the first resource that it holds for.
    var reasons: [(text: String, id: String)] = []

    mutating func add(_ id: String, _ reason: String = "") {
      if !reason.isEmpty, reasons.count < Self.namedReasons, !reasons.contains(where: { $0.text == reason }) {
        reasons.append((reason, id))
      }
      count += 1
      if ids.count < ResourceCarrier.namedIDs { ids.append("'\(id)'") }
    }

    var text: String {
      let rest = count > ids.count ? " and \(count - ids.count) more" : ""
      return "\(count) stored \(count == 1 ? "resource" : "resources") (\(ids.joined(separator: ", "))\(rest))"
    }

    /// - Throws: `invalidValue` where there are any.
    func check(type: String) throws(SCIMError) {
      guard count > 0 else { return }
      let why = reasons.count == 1 ? reasons[0].text : reasons.map { "\($0.text) ('\($0.id)')" }.joined(separator: "; ")
      throw SCIMError(
        .invalidValue,
        "\(text) of the type \(type) would not fit the new definition" + (why.isEmpty ? "." : ": \(why)."))
    }
  }
}
