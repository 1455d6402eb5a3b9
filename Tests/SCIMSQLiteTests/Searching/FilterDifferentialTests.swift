import Foundation
import SCIMCore
import SCIMSQL
import TestSupport
import Testing

/// The meaning of a filter is what `FilterEvaluator` says; the SQL must say the same of every resource.
struct FilterDifferentialTests {
  static let baseURL = "https://scim.example/scim/v2"

  /// How many pairs of a filter and a resource at least; `ROSTER_FILTER_PAIRS` sets another number for a longer run.
  static let pairs = ProcessInfo.processInfo.environment["ROSTER_FILTER_PAIRS"].flatMap { Int($0) } ?? 60_000
  /// What repeats a run; CI takes another each time.
  static let seed = ProcessInfo.processInfo.environment["ROSTER_FILTER_SEED"].flatMap { UInt64($0) } ?? 1

  @Test(arguments: [false, true]) func sqlAgreesWithTheEvaluator(grants: Bool) throws {
    let temporary = try TemporaryStore(grants: grants)
    let org = try temporary.organization("one")
    let other = try temporary.organization("two")
    var tenant = RandomTenant(seed: Self.seed, grants: grants)
    let made = try tenant.fill(temporary, users: 40, groups: 8, roles: 5, in: org)
    var neighbour = RandomTenant(seed: Self.seed &+ 1, grants: grants)
    let others = try neighbour.fill(temporary, users: 20, groups: 4, roles: 3, in: other)
    try touch(made, temporary, in: org)
    let reader = try temporary.store.makeReader()
    let renderer = ResourceRenderer(baseURL: Self.baseURL)
    var documents: [String: [(id: String, resource: JSONObject)]] = [:]
    for name in ["User", "Group", "Role"] {
      let type = try temporary.type(name)
      for resource in made[name] ?? [] {
        let stored = try #require(try reader.tenant(org).resource(id: resource.id, type: type, links: .all))
        let used = try reader.tenant(org).assignmentsUsed(of: stored.handle)
        var document = try renderer.json(stored, type: type, registry: temporary.registry, assignmentsUsed: used)
        var shown: [UInt8] = []
        try renderer.append(
          stored, type: type, registry: temporary.registry, assignmentsUsed: used, to: &shown)
        #expect(shown == JSON.object(document).encoded())
        // Every entry of the catalogue has the count, also one that does not show it.
        if let urn = type.countedExtension, document[urn] == nil {
          document[urn] = ["totalAssignmentsUsed": .integer(Int64(used))]
        }
        documents[name, default: []].append((stored.id, document))
      }
    }
    let ids = (Array(made.values) + Array(others.values)).flatMap { $0.prefix(4) }.map(\.id)
    let times = made.values.flatMap { $0.prefix(3) }.map(\.created.text)
    var filters = RandomFilter(
      random: Random(seed: Self.seed), ids: ids.sorted() + ["is_tall"], times: times.sorted(), baseURL: Self.baseURL,
      grants: grants)
    print("filters against resources: ROSTER_FILTER_SEED=\(Self.seed) ROSTER_FILTER_PAIRS=\(Self.pairs)")
    let memory = FilterMemory()
    var (number, compared, matched) = (0, 0, 0)
    while compared < Self.pairs {
      defer { number += 1 }
      let name = ["User", "User", "User", "Group", "Role"][number % 5]
      let type = try temporary.type(name)
      // Each of the types meets the limits.
      let text = number % 23 == 7 ? filters.extreme(name) : filters.filter(name)
      let filter = try ResolvedFilter(parsing: text, type: type, profile: .interop)
      let expected = (documents[name] ?? []).filter { FilterEvaluator.matches(filter, resource: $0.resource) }.map(\.id)
      let query = SearchQuery(
        parts: [SearchQuery.Part(type: type, filter: try memory.resolve(text, in: type, profile: .interop))],
        window: .index(offset: 0, count: 1000), links: .none, baseURL: Self.baseURL)
      let page = try reader.tenant(org).search(query)
      compared += documents[name]?.count ?? 0
      #expect(page.resources.map(\.id) == expected, "seed \(Self.seed), \(name): \(text)")
      var narrow = query
      narrow.window = .index(offset: 1, count: 1)
      let second = try reader.tenant(org).search(narrow)
      #expect(second.total == expected.count, "seed \(Self.seed), \(name): \(text)")
      #expect(
        second.resources.map(\.id) == Array(expected.dropFirst().prefix(1)), "seed \(Self.seed), \(name): \(text)")
      if !expected.isEmpty, expected.count < (documents[name] ?? []).count { matched += 1 }
    }
    if grants {
      let roles = (documents["User"] ?? []).flatMap { $0.resource["roles"]?.arrayValue ?? [] }
      #expect(roles.contains { $0["inherited"] == true } && roles.contains { $0["inherited"] == nil })
    }
    // Filters that match all or nothing would prove little.
    #expect(matched > number / 4)
  }

  /// What one statement has to hold at most: as many levels as are not split, of `and` and `or` in turn and of `not`,
  /// with as many in the brackets of an attribute, on its own, sorted, and for all types together.
  @Test(arguments: [false, true]) func theDeepestStatementsAreTaken(grants: Bool) throws {
    let temporary = try TemporaryStore(grants: grants)
    let org = try temporary.organization("one")
    var tenant = RandomTenant(seed: 3, grants: grants)
    _ = try tenant.fill(temporary, users: 6, groups: 3, roles: 3, in: org)
    let reader = try temporary.store.makeReader()
    func nested(_ leaf: String, _ other: String, levels: Int) -> [String] {
      var (joined, negated) = (leaf, leaf)
      for level in 0..<levels {
        joined = level % 2 == 0 ? "(\(joined)) or \(other)" : "\(other) and (\(joined))"
        negated = level % 2 == 0 ? "not (\(negated) and \(other))" : "not (\(negated) or \(other))"
      }
      return [joined, negated]
    }
    let leaves = [
      ("User", "emails", "value sw \"a\""), ("User", "roles", "display co \"r\""), ("User", "roles", "$ref pr"),
      ("User", "roles", "primary eq true"), ("User", "groups", "display sw \"g\""),
      ("User", "groups", "type eq \"direct\""),
      ("Group", "members", "display co \"a\""), ("Group", "members", "$ref sw \"http\""),
      ("User", "schemas", "value co \"e\""),
      ("User", "meta", "version co \"1\""), ("User", "roles", grants ? "inherited eq true" : "value pr"),
    ]
    for (name, attribute, leaf) in leaves {
      let type = try temporary.type(name)
      for levels in [5, 6, 7, 12, 40] {
        for inner in nested(leaf, leaf, levels: min(levels, 9)) {
          for text in nested("\(attribute)[\(inner)]", "displayName co \"b\"", levels: levels) {
            let filter = try ResolvedFilter(parsing: text, type: type, profile: .interop)
            var query = SearchQuery(
              parts: [.init(type: type, filter: filter)], window: .index(offset: 0, count: 5), links: .none,
              baseURL: Self.baseURL)
            let total = try reader.tenant(org).search(query).total
            let key = try #require(AttributeName.resolve("displayName", in: type, profile: .interop))
            query.sort = .init(attributes: [name: key], isDescending: levels % 2 == 0)
            #expect(try reader.tenant(org).search(query).total == total)
            query.parts.append(.init(type: try temporary.type("Role"), filter: nil))
            query.window = .cursor(after: CursorPosition(key: "a", handle: 1), count: 5)
            _ = try reader.tenant(org).search(query)
          }
        }
      }
    }
  }

  /// Each type that a link may lead to is named in the statement: the most that an organisation may have.
  @Test(arguments: [false, true]) func manyTypesAndManyConditions(grants: Bool) throws {
    let definitions = (0..<DefinitionLimits.types).map { number -> Definition in
      let document: JSON = [
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"], "id": .string("Role\(number)"),
        "name": .string("Role\(number)"), "endpoint": .string("/Roles\(number)"), "description": "A role.",
        "schema": "urn:okta:scim:schemas:core:1.0:Role",
        "schemaExtensions": [["schema": .string(RandomTenant.roleExtension), "required": false]],
      ]
      return Definition(kind: .type, name: "Role\(number)", document: document.objectValue ?? JSONObject())
    }
    let temporary = try TemporaryStore(
      registry: DefinitionLoader.load(definitions, extending: BuiltInSchemas.registry), grants: grants)
    let org = try temporary.organization("one")
    let role = try temporary.create("Role7", ["displayName": "r0"], in: org)
    let user = try temporary.create("User", ["userName": "u"], in: org)
    _ = try temporary.create("User", ["userName": "v"], in: org)
    try temporary.link(user, "roles", to: role, in: org)
    let reader = try temporary.store.makeReader()
    let used = RandomTenant.roleExtension + ":totalAssignmentsUsed"
    for (name, term, others) in [
      ("User", "roles.display eq \"r", "\""), ("User", "roles.$ref ew \"r", "\""), ("User", "roles.type ne \"r", "\""),
      ("User", "emails.display sw \"r", "\""), ("Role7", used + " eq ", ""), ("User", "groups.$ref co \"r", "\""),
    ] {
      let type = try temporary.type(name)
      for word in ["or", "and"] {
        let text = (0..<min(FilterLimits.terms, FilterLimits.bytes / (term.utf8.count + 10))).map {
          "\(term)\($0)\(others)"
        }.joined(separator: " \(word) ")
        let filter = try ResolvedFilter(parsing: text, type: type, profile: .interop)
        let query = SearchQuery(
          parts: [.init(type: type, filter: filter)], window: .index(offset: 0, count: 5), baseURL: Self.baseURL)
        let found = try reader.tenant(org).search(query).resources.map(\.id)
        if term.hasPrefix("roles.display") { #expect(found == (word == "or" ? [user.id] : []), "\(text)") }
        if term.hasPrefix("roles.type") { #expect(found.count == 2) }
        if term.hasPrefix(used) { #expect(found == (word == "or" ? [role.id] : [])) }
      }
    }
  }

  /// Gives some resources another version and time.
  private func touch(
    _ made: [String: [StoredResource]], _ temporary: TemporaryStore, in organization: OrganizationID
  ) throws {
    for (name, resources) in made {
      let type = try temporary.type(name)
      for resource in resources.enumerated().filter({ $0.offset % 3 == 0 }).map(\.element) {
        let document = try JSON(parsing: resource.document).objectValue ?? JSONObject()
        _ = try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
          try transaction.tenantTransaction(organization).update(
            resource, type: type, document: document, password: .keep)
        }
      }
    }
  }
}
