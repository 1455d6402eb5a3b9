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

  @Test(arguments: filters) func noTableIsReadWhole(_ text: String) throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    var tenant = RandomTenant(seed: 2)
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

  @Test func theHotStatementsUseTheirIndexes() throws {
    let temporary = try TemporaryStore()
    let reader = try temporary.store.reader()
    try reader.enter()
    // These read tables of a few rows.
    let small: Set<FixedStatement> = [.organizations]
    for statement in FixedStatement.allCases where !small.contains(statement) {
      for step in try plan(SQLFragment(trusted: statement.sql), reader) {
        #expect(
          !step.hasPrefix("SCAN") || step.contains("above") || step.contains("outbox") || step.contains("subquery"),
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
