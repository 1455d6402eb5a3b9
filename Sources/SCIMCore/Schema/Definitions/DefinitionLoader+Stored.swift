extension DefinitionLoader {
  /// The registry of definitions that are stored. They were checked when they were written, but what they name may be
  /// gone since: those that cannot be read are left out (`SchemaRegistry.unreadable`), and all others stand.
  ///
  /// - Throws: `SchemaError` only where the base itself cannot be read.
  public static func loadStored(
    _ definitions: [Definition], extending base: SchemaRegistry, clashes: DefinitionClashes = .ownWins,
    revision: Int64 = 0
  ) throws(SchemaError) -> SchemaRegistry {
    func registry(_ some: [Definition], without unreadable: [UnreadableDefinition]) throws(SchemaError)
      -> SchemaRegistry
    {
      try load(
        some, extending: base, clashes: clashes, revision: revision, attributesTogether: nil, unreadable: unreadable)
    }
    do throws(SchemaError) {
      return try registry(definitions, without: [])
    } catch {}
    // What names others comes behind them. Where a stretch does not fit what is kept, its halves are tried.
    let parts = definitions.flatMap(\.parts)
    let order = parts.indices.sorted { (parts[$0].rank, $0) < (parts[$1].rank, $1) }
    var kept: Set<Int> = []
    var unreadable: [UnreadableDefinition] = []
    func keep(_ stretch: ArraySlice<Int>) {
      guard let first = stretch.first else { return }
      let tried = kept.union(stretch)
      do throws(SchemaError) {
        _ = try registry(parts.indices.filter(tried.contains).map { parts[$0] }, without: [])
        kept = tried
      } catch {
        guard stretch.count > 1 else {
          let reason = error.problems.prefix(5).map(\.description).joined(separator: "; ")
          return unreadable.append(parts[first].unreadable(reason))
        }
        let middle = stretch.startIndex + stretch.count / 2
        keep(stretch[..<middle])
        keep(stretch[middle...])
      }
    }
    keep(order[...])
    return try registry(parts.indices.filter(kept.contains).map { parts[$0] }, without: unreadable)
  }

  /// As `load`, but what could not be read before may stay so.
  ///
  /// - Parameter attributes: how many attributes the types have together now (`SchemaRegistry.ownAttributes`). Where that
  ///   is more than the limit, which came later, a change may have as many.
  public static func load(
    _ definitions: [Definition], extending base: SchemaRegistry, clashes: DefinitionClashes,
    tolerating known: [UnreadableDefinition], attributes: Int = 0
  ) throws(SchemaError) -> SchemaRegistry {
    do throws(SchemaError) {
      return try load(
        definitions, extending: base, clashes: clashes, revision: 0,
        attributesTogether: max(DefinitionLimits.attributesTogether, attributes), unreadable: [])
    } catch {
      let stored = try loadStored(definitions, extending: base, clashes: clashes)
      guard !known.isEmpty,
        stored.unreadable.allSatisfy({ one in known.contains { $0.isSame(as: one) } })
      else { throw error }
      let problems = ProblemList()
      checkLimits(definitions, problems)
      try problems.throwIfAny()
      return stored
    }
  }
}

extension Definition {
  /// What can be left out by itself: what adds to a type may be several extensions.
  fileprivate var parts: [Definition] {
    guard kind == .additions, let entries = document["schemaExtensions"]?.arrayValue, entries.count > 1 else {
      return [self]
    }
    return entries.map { entry in
      var part = self
      part.document["schemaExtensions"] = .array([entry])
      return part
    }
  }

  fileprivate var rank: Int {
    switch kind {
    case .retired: 0
    case .schema: 1
    case .type: 2
    case .additions: 3
    }
  }

  fileprivate func unreadable(_ reason: String) -> UnreadableDefinition {
    let urn = kind == .additions ? document["schemaExtensions"]?.arrayValue?.first?["schema"]?.stringValue : nil
    return UnreadableDefinition(kind: kind, name: name, urn: urn, reason: reason)
  }
}
