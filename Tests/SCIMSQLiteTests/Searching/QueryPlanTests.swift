import SCIMCore
import SCIMSQLite
import Testing

@testable import SCIMSQL

/// Every shape of query is held to an index: none reads a whole table of resources, keys or links.
struct QueryPlanTests {
  static let filters = [
    "userName eq \"a\"", "externalId eq \"a\"", "id eq \"a\"", "title eq \"a\"", "title sw \"a\"", "title co \"a\"",
    "title ew \"a\"", "title gt \"a\"", "title pr", "title ne \"a\"", "not (title co \"a\")", "active eq true",
    "meta.created gt \"2020-01-01T00:00:00Z\"", "meta.lastModified le \"2020-01-01T00:00:00Z\"",
    "meta.version eq \"W/\\\"1\\\"\"", "meta.location eq \"/Users/a\"", "schemas eq \"urn:x\"",
    "title eq \"a\" and active eq true and nickName co \"b\"", "title eq \"a\" or nickName eq \"b\"",
    "emails[type eq \"work\" and value eq \"a\"]", "emails[type eq \"work\" and value co \"a\"]",
    "emails[not (type eq \"work\")]", "userName eq \"a\" and emails[type eq \"work\" and value co \"a\"]",
    "roles.value eq \"a\"", "roles[value eq \"a\" and primary eq true]", "roles.display eq \"a\"", "roles pr",
    "groups.value eq \"a\"", "groups[type eq \"direct\" and value eq \"a\"]", "groups pr",
    "userName eq \"a\" and groups.value eq \"a\"",
  ]

  /// What is asked of roles that groups may grant.
  static let grantFilters = [
    "roles.value eq \"Is_Tall\"", "roles[value eq \"Is_Tall\" and inherited eq true]",
    "roles[value eq \"Is_Tall\" and inherited eq false]", "roles[value eq \"Is_Tall\" and primary eq true]",
    "roles[inherited eq true]", "roles.inherited eq false", "roles pr", "roles.value ne \"Is_Tall\"",
    "roles.display co \"r\"", "roles[type eq \"Role\" and value eq \"Is_Tall\"]",
    "userName eq \"u1\" and roles.value eq \"Is_Tall\"", "not (roles[display sw \"r\" and inherited eq true])",
    "active eq true and roles.value eq \"Is_Tall\"", "roles.value eq \"Is_Tall\" or title eq \"a\"",
  ]

  @Test(arguments: filters.map { ($0, false) } + grantFilters.map { ($0, true) })
  func noTableIsReadWhole(_ text: String, grants: Bool) throws {
    let temporary = try TemporaryStore(grants: grants)
    let org = try temporary.organization()
    var tenant = RandomTenant(seed: 2, grants: grants)
    _ = try tenant.fill(temporary, users: 20, groups: 3, roles: 2, in: org)
    let type = try temporary.type("User")
    let reader = try temporary.store.reader()
    try reader.enter()
    let filter = try ResolvedFilter(parsing: text, type: type, profile: .interop)
    let compiler = try FilterCompiler(reader: reader, type: type, organization: org, baseURL: "")
    let rows = try compiler.matches(filter)
    let ordered: SQLFragment = "SELECT DISTINCT \(rows.resource) FROM \(rows.source) ORDER BY +\(rows.resource) LIMIT 5"
    for query in [rows.count, ordered] {
      for step in try plan(query, reader) {
        #expect(!Self.isWholeTable(step), "\(step)")
        // Of a table with the organisation in front, a search uses at least that.
        #expect(!step.contains("AUTOMATIC"), "\(step)")
      }
    }
  }

  /// What governance asks of the catalogue and of who holds what.
  @Test(arguments: [
    ("User", "roles[value eq \"Is_Tall\"]"), ("User", "roles[type eq \"Role\" and value eq \"Is_Tall\"]"),
    ("User", "entitlements[type eq \"Characteristic\" and value eq \"a\"]"),
    ("User", "active eq true and roles[value eq \"Is_Tall\"]"),
    ("Role", "\(RandomTenant.roleExtension):contains eq \"a\""),
    ("Role", "\(RandomTenant.roleExtension):contains eq \"a\" and displayName sw \"R\""),
    ("Role", "\(RandomTenant.roleExtension):totalAssignmentsUsed eq 0"),
    ("Role", "\(RandomTenant.roleExtension):totalAssignmentsUsed gt 3"),
    ("Role", "\(RandomTenant.roleExtension):totalAssignmentsUsed ne 0"),
    ("Role", "\(RandomTenant.roleExtension):totalAssignmentsUsed lt 2 and displayName co \"R\""),
    ("Role", "\(RandomTenant.roleExtension):totalAssignmentsUsed ge 9 or displayName eq \"R1\""),
  ])
  func governanceReadsNoTableWhole(_ typeName: String, _ text: String) throws {
    let steps = try plans(of: text, type: typeName)
    #expect(!steps.isEmpty)
    for step in steps { #expect(!Self.isWholeTable(step) && !step.contains("AUTOMATIC"), "\(step)") }
  }

  /// The holders of one entry come from the index in the order of a walk: nothing is sorted, whatever their number.
  /// So it is where groups may grant, for an entry that none of them grants.
  @Test(arguments: [false, true]) func holdersOfOneEntryAreNotSorted(mayGrant: Bool) throws {
    for text in [
      "roles[value eq \"Is_Tall\"]", "roles.value eq \"is_tall\"", "roles[type eq \"Role\" and value eq \"Is_Tall\"]",
    ] {
      let steps = try plans(of: text, type: "User", mayGrant: mayGrant)
      #expect(steps.contains { $0.contains("link_target") }, "\(text): \(steps)")
      #expect(!steps.contains { $0.contains("TEMP B-TREE") }, "\(text): \(steps)")
    }
  }

  /// The plans of counting what matches and of a page in the middle of a walk.
  private func plans(of text: String, type typeName: String, mayGrant: Bool = false) throws -> [String] {
    let temporary = try TemporaryStore(grants: mayGrant)
    let org = try temporary.organization()
    var tenant = RandomTenant(seed: 2)
    _ = try tenant.fill(temporary, users: 20, groups: 3, roles: 2, in: org)
    let type = try temporary.type(typeName)
    let reader = try temporary.store.reader()
    try reader.enter()
    let filter = try ResolvedFilter(parsing: text, type: type, profile: .interop)
    let compiler = try FilterCompiler(reader: reader, type: type, organization: org, baseURL: "")
    let rows = try compiler.matches(filter)
    let search = Search(
      reader: reader,
      parts: [
        SearchPart(
          type: type, number: compiler.typeNumber, filter: filter, compiler: compiler, rows: rows, sort: nil)
      ], organization: org, isSorted: false, isDescending: false)
    // What `not` and `ne` leave is counted by what they leave out.
    let counted = try compiler.others(filter)?.count ?? rows.count
    return try plan(counted, reader) + plan(search.unsorted(after: 3, offset: 0, limit: 5), reader)
  }

  @Test func theHotStatementsUseTheirIndexes() throws {
    let temporary = try TemporaryStore()
    let reader = try temporary.store.reader()
    try reader.enter()
    // These read tables of a few rows.
    let small: Set<FixedStatement> = [.organizations, .deletions, .definitionChanges, .staleOrganizations]
    for statement in FixedStatement.allCases where !small.contains(statement) {
      for step in try plan(SQLFragment(trusted: statement.sql), reader) {
        #expect(
          !step.hasPrefix("SCAN") || step.contains("above") || step.contains("outbox") || step.contains("subquery")
            || step.contains("VIRTUAL TABLE") || step == "SCAN CONSTANT ROW",
          "\(statement): \(step)")
      }
    }
  }

  private func plan(_ query: SQLFragment, _ reader: SQLReader) throws -> [String] {
    var steps: [String] = []
    let explained: SQLFragment = "EXPLAIN QUERY PLAN \(query)"
    try reader.statements.get(explained).forEach { steps.append($0.text(3)) }
    return steps
  }

  /// `SCAN k3`: the aliases of derived sets are other letters.
  private static func isWholeTable(_ step: String) -> Bool {
    guard step.hasPrefix("SCAN ") else { return false }
    let name = step.dropFirst(5).prefix { $0 != " " }
    guard let letter = name.first, "rkeltg".contains(letter) else { return false }
    return name.dropFirst().allSatisfy(\.isNumber)
  }
}
