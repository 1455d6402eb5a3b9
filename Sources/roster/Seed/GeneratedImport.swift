import SCIMCore

/// Puts a made-up tenant into a store at bulk speed: many resources in each transaction.
struct GeneratedImport: Sendable {
  private static let usersPerWrite = 2000
  /// Groups are written by the number of their members, which is what takes the time.
  private static let membersPerWrite = 10_000

  let generator: TenantGenerator
  let registry: SchemaRegistry

  /// Writes the tenant and shows how far it has come. What is there already stays, so that a run which was cut short
  /// can be finished by another one.
  func run(into store: some Store) throws(SCIMError) -> SeedImporter.Summary {
    let importer = SeedImporter(registry: registry)
    let generator = generator
    var run = try store.writeAndWait { (transaction) throws(SCIMError) in
      try SeedRun(
        importer.organization(generator.domain, catalog: .open, in: transaction), importer, in: transaction)
    }
    var bar = ProgressBar("Seeding", total: generator.count + generator.groupCount)
    defer { bar.finish() }

    run = try write(catalog(), to: store, run)
    if let type = registry.type(named: "User") {
      for start in stride(from: 0, to: generator.count, by: Self.usersPerWrite) {
        let end = min(start + Self.usersPerWrite, generator.count)
        let users = (start..<end).map { (type, String?.none, generator.user($0)) }
        run = try write(users, to: store, run)
        bar.update(end)
      }
    }
    if let type = registry.type(named: "Group") {
      var pending: [(ResourceType, String?, JSONObject)] = []
      var members = 0
      for index in 0..<generator.groupCount {
        let group = generator.group(index)
        members += group["members"]?.arrayValue?.count ?? 0
        pending.append((type, nil, group))
        guard members >= Self.membersPerWrite || index == generator.groupCount - 1 else { continue }
        run = try write(pending, to: store, run)
        pending = []
        members = 0
        bar.update(generator.count + index + 1)
      }
    }
    return run.summary
  }

  private func catalog() -> [(ResourceType, String?, JSONObject)] {
    var list: [(ResourceType, String?, JSONObject)] = []
    if let type = registry.type(named: "Role") { list += generator.roles().map { (type, nil, $0) } }
    if let type = registry.type(named: "Characteristic") {
      list += generator.characteristics().map { (type, $0.id, $0.body) }
    }
    return list
  }

  /// Writes some resources in one transaction; gives the run as it is then.
  private func write(
    _ resources: [(ResourceType, String?, JSONObject)], to store: some Store, _ before: SeedRun
  ) throws(SCIMError) -> SeedRun {
    try store.writeAndWait { (transaction) throws(SCIMError) in
      var run = before
      for (type, id, body) in resources {
        try run.add(SeedReader.withSchemas(body, type: type), id: id, type: type, in: transaction)
      }
      return run
    }
  }
}
