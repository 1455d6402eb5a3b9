import SCIMCore

/// Changes an organisation's own schemas and resource types inside a transaction of the store, together with the
/// resources that depend on them: all of it, or nothing.
///
/// The one way in which definitions are written: HTTP operations, the command line and the seed use it alike.
public struct DefinitionWriter: Sendable {
  /// What every organisation has, which is never changed here.
  public let base: SchemaRegistry
  public let organization: OrganizationID

  public init(base: SchemaRegistry, organization: OrganizationID) {
    self.base = base
    self.organization = organization
  }

  /// Definitions to be stored and to be removed in one step.
  public struct Change: Sendable {
    public var put: [Definition] = []
    public var remove: [Definition] = []

    public init(put: [Definition] = [], remove: [Definition] = []) {
      self.put = put
      self.remove = remove
    }
  }

  /// Stores the change and makes the stored resources fit it, in one transaction.
  ///
  /// - Parameter survey: what is known of the stored resources; nil looks at all of them here.
  /// - Returns: the organisation's registry as it is then.
  /// - Throws: `invalidValue` with what the loader finds wrong, or with the number and the first ids of the stored
  ///   resources that would not fit; `conflict` for a type or an extension in use; `tooMany` where more resources have to
  ///   be written than one transaction may write.
  @discardableResult
  public func apply(
    _ change: Change, survey: DefinitionSurvey? = nil, in transaction: any StoreTransaction
  ) throws(SCIMError) -> SchemaRegistry {
    let move = try move(change, in: transaction)
    let carrier = ResourceCarrier(organization: organization)
    for type in move.leaving { try carrier.checkUnused(type, in: transaction) }
    for name in move.unreadable { try carrier.checkEmpty(name, in: transaction) }
    for definition in change.remove {
      try transaction.removeDefinition(kind: definition.kind, name: definition.name, in: organization)
    }
    for definition in change.put {
      try transaction.putDefinition(
        kind: definition.kind, name: definition.name, document: definition.document, in: organization)
    }
    let survey = survey?.revision == move.revision ? survey : nil
    for (before, after) in move.staying {
      try carrier.carry(from: before, to: after, survey: survey, in: transaction)
    }
    return try transaction.registry(of: organization)
  }

  /// Looks at what a change means for the stored resources, outside the writer: the long part of it.
  ///
  /// - Parameters:
  ///   - since: the time of a transaction that was committed before `reader` took its snapshot: what is written from then
  ///     on is looked at again with the change.
  ///   - force: what is in the way will be removed.
  /// - Throws: what `apply` would.
  public func survey(
    _ change: Change, force: Bool, since: Timestamp, in reader: any StoreReader
  ) throws(SCIMError) -> DefinitionSurvey {
    let move = try move(change, in: reader)
    let carrier = ResourceCarrier(organization: organization)
    var survey = DefinitionSurvey(revision: move.revision, since: since)
    for type in move.leaving where !force { try carrier.checkUnused(type, in: reader) }
    for (before, after) in move.staying {
      survey.affected[after.name] = try carrier.survey(from: before, to: after, force: force, in: reader)
    }
    return survey
  }

  /// One transaction of a change. Where it is by force, what is in the way goes first, in as many of them as it takes and
  /// by the definitions that hold until then: resources whose type goes, and values whose extension goes. The last one
  /// changes the definitions.
  public func step(
    _ change: Change, force: Bool, survey: DefinitionSurvey?, in transaction: any StoreTransaction
  ) throws(SCIMError) -> WriteStep<Void, SchemaRegistry> {
    if force {
      let move = try move(change, in: transaction)
      let carrier = ResourceCarrier(organization: organization)
      for type in move.leaving where try !carrier.remove(type, in: transaction) { return .further(()) }
      for (before, after) in move.staying where try !carrier.removeValues(from: before, to: after, in: transaction) {
        return .further(())
      }
    }
    return .done(try apply(change, survey: survey, in: transaction))
  }

  /// What a change does to the types.
  private struct Move {
    /// Of the definitions before it.
    var revision: Int64
    /// Types that go with their resources.
    var leaving: [ResourceType] = []
    var staying: [(before: ResourceType, after: ResourceType)] = []
    /// Types that go and could not be read.
    var unreadable: [String] = []
  }

  private func move(_ change: Change, in reader: any StoreReader) throws(SCIMError) -> Move {
    let old = try reader.registry(of: organization)
    let new = try registry(after: change, from: old, in: reader)
    // A type that goes and leaves its name to a built-in one goes with its resources all the same.
    func isLeft(_ name: String) -> Bool {
      old.builtInType(named: name, of: base) == nil && new.builtInType(named: name, of: base) != nil
    }
    var move = Move(revision: old.revision)
    move.unreadable = change.remove.filter { one in
      one.kind == .type && old.unreadable.contains { $0.kind == .type && $0.name == one.name }
    }.map(\.name)
    for type in old.types {
      if let after = new.type(named: type.name), !isLeft(type.name) {
        move.staying.append((type, after))
      } else {
        move.leaving.append(type)
      }
    }
    return move
  }

  /// The registry that the change would give.
  private func registry(
    after change: Change, from before: SchemaRegistry, in reader: any StoreReader
  ) throws(SCIMError) -> SchemaRegistry {
    var definitions = try reader.definitions(of: organization)
    let present = definitions
    definitions.removeAll { known in
      change.remove.contains { $0.kind == known.kind && $0.name == known.name }
    }
    for definition in change.put {
      if let index = definitions.firstIndex(where: { $0.kind == definition.kind && $0.name == definition.name }) {
        definitions[index].document = definition.document
      } else {
        definitions.append(definition)
      }
    }
    do throws(SchemaError) {
      let base = try base.builtIn(for: before.settings)
      // A clash that is there already is not this change's, and must not stand in the way of it.
      let old = DefinitionClash.all(in: present, with: base)
      let isOld = DefinitionClash.all(in: definitions, with: base).allSatisfy(old.contains)
      let unreadable = before.unreadable.filter { one in
        !change.put.contains { $0.kind == one.kind && $0.name == one.name }
      }
      return try DefinitionLoader.load(
        definitions, extending: base, clashes: isOld ? .ownWins : .refused, tolerating: unreadable)
    } catch {
      throw SCIMError(.invalidValue, error.problems.prefix(20).map(\.description).joined(separator: "; "))
    }
  }
}

extension DefinitionWriter {
  /// Adds what one document describes, or changes what is there under its name, in one transaction.
  ///
  /// - Returns: true where the type, or the extension of a built-in type, is new.
  public func add(
    _ description: TypeDescription, in transaction: any StoreTransaction
  ) throws(SCIMError) -> Bool {
    let (change, isNew) = try change(adding: description, in: transaction)
    try apply(change, in: transaction)
    return isNew
  }

  /// What adds what one document describes, or changes what is there under its name; `isNew` where the type, or the
  /// extension of a built-in type, is new.
  public func change(
    adding description: TypeDescription, in reader: any StoreReader
  ) throws(SCIMError) -> (change: Change, isNew: Bool) {
    let definitions = try reader.definitions(of: organization)
    // The same schema, as it was spelt before.
    let respelt = definitions.filter { one in
      one.kind == .schema
        && description.schema.map { $0.name != one.name && ASCII.equalIgnoringCase($0.name, one.name) } == true
    }
    guard let urn = description.schema?.name, description.isAddition else {
      guard try reader.registry(of: organization).builtInType(named: description.name, of: base) == nil else {
        throw SCIMError(
          .invalidValue,
          "'\(description.name)' is built in and cannot be changed; \"extends\" gives it more attributes."
            + (Retirement.permanentTypes.contains(description.name)
              ? "" : " Retire it first to define another type of that name."))
      }
      let type = description.type(extending: base)
      let known = definitions.first { $0.kind == .type && $0.name == description.name }
      let kept = type.extensionURNs + definitions.extensionURNs(but: type)
      let orphans = definitions.schemas(named: known?.extensionURNs ?? [], but: kept)
      return (Change(put: [description.schema, type].compactMap { $0 }, remove: orphans + respelt), known == nil)
    }
    var additions =
      definitions.first { $0.kind == .additions && $0.name == description.name }
      ?? Definition(kind: .additions, name: description.name, document: JSONObject())
    var entries = additions.document["schemaExtensions"]?.arrayValue ?? []
    let entry = TypeDescription.entry(urn, isRequired: description.isRequired)
    let index = entries.firstIndex { $0["schema"]?.stringValue.map { ASCII.equalIgnoringCase($0, urn) } == true }
    if let index { entries[index] = entry } else { entries.append(entry) }
    additions.document["schemaExtensions"] = .array(entries)
    return (Change(put: [description.schema, additions].compactMap { $0 }, remove: respelt), index == nil)
  }

  /// What removes a type of the organisation's own by its name, or an extension that a built-in type got by its URN; with
  /// them the schemas that nothing else uses. A built-in type goes for this organisation alone, and can come back.
  ///
  /// - Throws: `notFound`, `invalidValue` for what is built in.
  public func change(retiring name: String, in reader: any StoreReader) throws(SCIMError) -> Change {
    let definitions = try reader.definitions(of: organization)
    if let type = definitions.first(where: { $0.kind == .type && $0.name == name }) {
      let kept = definitions.extensionURNs(but: type)
      let orphans = definitions.schemas(named: type.extensionURNs, but: kept)
      return Change(remove: [type] + orphans)
    }
    if try reader.registry(of: organization).builtInType(named: name, of: base) != nil {
      return try change(retiringBuiltIn: name, definitions)
    }
    let urn = ASCII.lowercase(name)
    guard let owner = definitions.first(where: { $0.kind == .additions && $0.extensionURNs.contains(urn) }) else {
      guard base.type(named: name) == nil, base.schema(id: name) == nil else {
        throw SCIMError(.invalidValue, "'\(name)' is built in and cannot be removed.")
      }
      throw SCIMError(.notFound, "The organisation has no type or extension '\(name)' of its own.")
    }
    var additions = owner
    let entries = (owner.document["schemaExtensions"]?.arrayValue ?? []).filter {
      $0["schema"]?.stringValue.map(ASCII.lowercase) != urn
    }
    additions.document["schemaExtensions"] = .array(entries)
    let kept = definitions.extensionURNs(but: owner) + additions.extensionURNs
    let orphans = definitions.schemas(named: [urn], but: kept)
    return entries.isEmpty ? Change(remove: [owner] + orphans) : Change(put: [additions], remove: orphans)
  }
}

extension DefinitionWriter {
  private func change(
    retiringBuiltIn name: String, _ definitions: [Definition]
  ) throws(SCIMError) -> Change {
    guard !Retirement.permanentTypes.contains(name) else {
      throw SCIMError(.invalidValue, "'\(name)' cannot be removed: every organisation has it.")
    }
    var change = Change(put: [Definition(kind: .retired, name: name, document: JSONObject())])
    if let additions = definitions.first(where: { $0.kind == .additions && $0.name == name }) {
      let kept = definitions.extensionURNs(but: additions)
      change.remove =
        [additions] + definitions.schemas(named: additions.extensionURNs, but: kept)
    }
    return change
  }

  /// What brings a built-in type back that the organisation has retired. It is refused where a type of the
  /// organisation's own has the name or the endpoint.
  ///
  /// - Throws: `notFound` where it has retired none of that name.
  public func change(restoring name: String, in reader: any StoreReader) throws(SCIMError) -> Change {
    let definitions = try reader.definitions(of: organization)
    guard let retired = definitions.first(where: { $0.kind == .retired && $0.name == name }) else {
      throw SCIMError(.notFound, "The organisation has retired no built-in type '\(name)'.")
    }
    return Change(remove: [retired])
  }
}

extension Definition {
  /// The URNs that `schemaExtensions` lists, in lower case: they are stored as they were sent.
  var extensionURNs: [String] {
    (document["schemaExtensions"]?.arrayValue ?? []).compactMap { $0["schema"]?.stringValue.map(ASCII.lowercase) }
  }
}

extension [Definition] {
  /// The URNs that types use as extensions or base, in lower case, one definition left out.
  fileprivate func extensionURNs(but one: Definition) -> [String] {
    filter { $0.kind != one.kind || $0.name != one.name }
      .flatMap { one in
        let base = one.kind == .type ? one.document["schema"]?.stringValue : nil
        return one.extensionURNs + [base.map(ASCII.lowercase)].compactMap { $0 }
      }
  }

  /// The schemas with one of these URNs and none of the others, both in lower case.
  fileprivate func schemas(named urns: [String], but kept: [String]) -> [Definition] {
    filter { one in
      let urn = ASCII.lowercase(one.name)
      return one.kind == .schema && urns.contains(urn) && !kept.contains(urn)
    }
  }
}
