import SCIMCore

/// Changes an organisation's own schemas and resource types, and the settings by which its schemas are made, together with
/// the resources that depend on them: all of it, or nothing.
///
/// The one way in which definitions are written: HTTP operations, the command line and the seed use it alike. What is
/// made of stored resources takes as many transactions as it needs, and the last one changes the definitions
/// (`DefinitionRun`).
public struct DefinitionWriter: Sendable {
  /// What every organisation has, which is never changed here.
  public let base: SchemaRegistry

  public init(base: SchemaRegistry) {
    self.base = base
  }

  /// Definitions to be stored and to be removed in one step.
  public typealias Change = DefinitionChange

  /// Stores the change and makes the stored resources fit it, in one transaction.
  ///
  /// - Returns: the organisation's registry as it is then.
  /// - Throws: `invalidValue` with what the loader finds wrong, or with the number and the first ids of the stored
  ///   resources that would not fit; `conflict` for a type or an extension in use; `tooMany` where more resources have to
  ///   be written than one transaction may write.
  @discardableResult
  public func apply(_ change: Change, in transaction: any TenantTransaction) throws(SCIMError) -> SchemaRegistry {
    let run = DefinitionRun(writer: self) { (_) throws(SCIMError) in change }
    switch try run.begin(run.plan(in: transaction), isAlone: true, in: transaction) {
    case .done(.made(let registry)): return registry
    case .done(.outdated): throw DefinitionRun.alwaysOutdated
    case .done(.begun(let number)):
      let work = try run.survey(number, in: transaction)
      guard case .done(let registry) = try run.step(work, isAlone: true, in: transaction) else { throw Self.tooMany }
      _ = try transaction.removeStale()
      return registry
    case .further: throw Self.tooMany
    }
  }

  private static let tooMany = SCIMError(
    .tooMany, "The change concerns more stored resources than can be written anew at a time.")

  /// What the change does to the types. All definitions are read for it: outside the store's writer, which others wait for.
  ///
  /// - Throws: `invalidValue` with what the loader finds wrong.
  func plan(_ change: Change, in reader: any TenantReader) throws(SCIMError) -> PendingChange {
    let before = try reader.registry()
    let after = try registry(after: change, from: before, in: reader)
    return PendingChange(change, from: before, to: after, base: base)
  }

  /// The registry that the change would give.
  private func registry(
    after change: Change, from before: SchemaRegistry, in reader: any TenantReader
  ) throws(SCIMError) -> SchemaRegistry {
    let present = try reader.definitions()
    let definitions = change.applied(to: present)
    do throws(SchemaError) {
      // A clash that is there already is not this change's, and must not stand in the way of it.
      let old = DefinitionClash.all(in: present, with: try base.builtIn(for: before.settings))
      let base = try base.builtIn(for: change.applied(to: before.settings))
      let isOld = DefinitionClash.all(in: definitions, with: base).allSatisfy(old.contains)
      let unreadable = before.unreadable.filter { one in
        !change.put.contains { $0.kind == one.kind && $0.name == one.name }
      }
      let after = try DefinitionLoader.load(
        definitions, extending: base, clashes: isOld ? .ownWins : .refused, tolerating: unreadable,
        attributes: before.ownAttributes(beyond: self.base.builtIn(for: before.settings)))
      // Exactly what is made of what will be stored.
      return after.unreadable.isEmpty ? after : try DefinitionLoader.loadStored(definitions, extending: base)
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
    _ description: TypeDescription, in transaction: any TenantTransaction
  ) throws(SCIMError) -> Bool {
    let (change, isNew) = try change(adding: description, in: transaction)
    try apply(change, in: transaction)
    return isNew
  }

  /// What adds what one document describes, or changes what is there under its name; `isNew` where the type, or the
  /// extension of a built-in type, is new.
  public func change(
    adding description: TypeDescription, in reader: any TenantReader
  ) throws(SCIMError) -> (change: Change, isNew: Bool) {
    let definitions = try reader.definitions()
    // The same schema, as it was spelt before.
    let respelt = definitions.filter { one in
      one.kind == .schema
        && description.schema.map { $0.name != one.name && ASCII.equalIgnoringCase($0.name, one.name) } == true
    }
    guard let urn = description.schema?.name, description.isAddition else {
      guard try reader.registry().builtInType(named: description.name, of: base) == nil else {
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
  public func change(retiring name: String, in reader: any TenantReader) throws(SCIMError) -> Change {
    let definitions = try reader.definitions()
    if let type = definitions.first(where: { $0.kind == .type && $0.name == name }) {
      let kept = definitions.extensionURNs(but: type)
      let orphans = definitions.schemas(named: type.extensionURNs, but: kept)
      return Change(remove: [type] + orphans)
    }
    if try reader.registry().builtInType(named: name, of: base) != nil {
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
  public func change(restoring name: String, in reader: any TenantReader) throws(SCIMError) -> Change {
    let definitions = try reader.definitions()
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
