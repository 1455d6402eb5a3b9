import SCIMCompat
import SCIMCore
import SCIMSQL

/// `roster inspect`: looks into the database, past keys and HTTP.
enum InspectCommand {
  /// - Parameter example: a filter that the types of the list understand.
  private static func page(example: String) -> [Option] {
    [
      .organization, .value("filter", "FILTER", "A SCIM filter, for example '\(example)'."),
      .value("start", "N", "The first one shown, counted from 1.", default: "1"),
      .value("count", "N", "How many are shown at most.", default: "100"), .database, .schemas, .json,
    ]
  }

  static let command = Command(
    name: "inspect", summary: "look at what an organisation has stored",
    commands: [
      Command(
        name: "orgs", summary: "list the organisations and count their resources",
        options: [.database, .schemas, .json],
        run: organizations),
      Command(
        name: "users", summary: "list users with their roles, entitlements and groups",
        options: page(example: #"userName sw "a""#)
      ) {
        try list($0, types: ["User"], titles: ["ID", "USERNAME", "NAME", "ACTIVE", "ROLES", "ENTITLEMENTS", "GROUPS"]) {
          view, _ in
          [
            view.id, view.text("userName"), view.text("displayName"), view.text("active"), view.displays("roles"),
            view.displays("entitlements"), view.displays("groups"),
          ]
        }
      },
      Command(
        name: "groups", summary: "list groups with how many members they have",
        options: page(example: #"displayName co "sales""#)
      ) {
        try list($0, types: ["Group"], titles: ["ID", "NAME", "MEMBERS"], links: .none) { view, tenant in
          let members = try tenant.linkCount(
            owner: view.stored.handle, attribute: "members", limit: .max)
          return [view.id, view.text("displayName"), String(members)]
        }
      },
      Command(
        name: "roles", summary: "list roles with how many users have them",
        options: page(example: #"displayName co "admin""#)
      ) {
        try list($0, types: ["Role"], titles: ["ID", "NAME", "ASSIGNED", "DESCRIPTION"], row: catalogRow)
      },
      Command(
        name: "entitlements", summary: "list entitlements of every type with how many users have them",
        options: page(example: #"displayName co "pro""#)
      ) {
        try list($0, types: nil, titles: ["TYPE", "ID", "NAME", "ASSIGNED", "DESCRIPTION"]) { view, context in
          [view.stored.type] + (try catalogRow(view, context))
        }
      },
      Command(
        name: "resource", summary: "show one resource as it is stored, as JSON",
        operands: [Operand(name: "ID", help: "Its id; or a user's userName.")],
        options: [.organization, .database, .schemas, .flag("json", "Print JSON, which is what it always does.")],
        run: resource),
    ])

  @Sendable private static func organizations(_ invocation: Invocation) throws {
    try Database.with(invocation) { store, registry in
      let reader = try store.makeReader()
      // Each organisation has types of its own as well: the table shows what all have, JSON everything.
      let types = registry.types
      var table = Table("NAME", "CATALOG", "KEYS")
      table.columns[2].isTrailing = true
      table.columns += types.map { Table.Column(title: $0.endpoint.dropFirst().uppercased(), isTrailing: true) }
      var list: [JSON] = []
      for organization in try reader.organizations() {
        let keys = try reader.keys(of: organization.id).filter { $0.isValid(at: .now) }.count
        var object = OrganizationCommand.json(organization).objectValue ?? JSONObject()
        var row = [organization.name, organization.catalog.rawValue, String(keys)]
        object["validKeys"] = .integer(Int64(keys))
        for type in try reader.tenant(organization.id).registry().types {
          let total = try reader.tenant(organization.id).total(of: type)
          object[type.name] = .integer(Int64(total))
          if types.contains(where: { $0.name == type.name }) { row.append(String(total)) }
        }
        table.rows.append(row)
        list.append(.object(object))
      }
      invocation.print(json: .array(list), orText: invocation.text(of: table))
    }
  }

  private static func catalogRow(_ view: ResourceView, _ tenant: any TenantReader) throws -> [String] {
    let assigned = try tenant.assignmentsUsed(of: view.stored.handle)
    return [view.id, view.text("displayName"), String(assigned), view.text("description")]
  }

  /// Prints one page of some types; `types` nil means all of the catalogue but roles.
  private static func list(
    _ invocation: Invocation, types names: [String]?, titles: [String], links: LinkSelection = .all,
    row: (ResourceView, any TenantReader) throws -> [String]
  ) throws {
    let start = try invocation.integer("start", in: 1...Int.max) ?? 1
    let count = try invocation.integer("count", in: 0...1_000_000) ?? 100
    try Database.with(invocation) { store, _ in
      let reader = try store.makeReader()
      let tenant = reader.tenant(try reader.chosenOrganization(invocation).id)
      let types = try tenant.registry().types.filter {
        names?.contains($0.name) ?? ($0.isCatalog && $0.name != "Role")
      }
      // Read as the server reads it.
      let filters = FilterMemory(alias: Compat.name)
      let parts = try types.map { type in
        let filter = try invocation.text("filter").map { (text) throws(SCIMError) in
          try filters.resolve(text, in: type, profile: .interop)
        }
        return SearchQuery.Part(type: type, filter: filter)
      }
      let selection = invocation.flag("json") ? .all : links
      let page = try search(parts, from: start - 1, count: count, links: selection, tenant)
      var table = Table()
      table.columns = titles.map { Table.Column(title: $0, isTrailing: ["MEMBERS", "ASSIGNED"].contains($0)) }
      let views = try page.resources.map(ResourceView.init)
      if !invocation.flag("json") { table.rows = try views.map { try row($0, tenant) } }
      invocation.print(
        json: [
          "totalResults": .integer(Int64(page.total)), "startIndex": .integer(Int64(start)),
          "itemsPerPage": .integer(Int64(views.count)), "Resources": .array(views.map { .object($0.whole) }),
        ], orText: invocation.text(of: table))
      if !invocation.flag("json"), views.count < page.total {
        Console.error.writeLine("\(views.count) of \(page.total) shown. Pass --start and --count for others.")
      }
    }
  }

  /// As many resources as are asked for, in one snapshot: a page of the store ends early where it holds many bytes.
  static func search(
    _ parts: [SearchQuery.Part], from offset: Int, count: Int, links: LinkSelection, _ tenant: any TenantReader
  ) throws(SCIMError) -> SearchPage {
    try tenant.snapshot { () throws(SCIMError) in
      var found = SearchPage(total: 0, resources: [])
      repeat {
        let window = SearchQuery.Window.index(
          offset: offset + found.resources.count, count: count - found.resources.count)
        let page = try tenant.search(SearchQuery(parts: parts, window: window, links: links))
        found.total = page.total
        found.resources += page.resources
        if page.resources.isEmpty { break }
      } while found.resources.count < count && offset + found.resources.count < found.total
      return found
    }
  }

  @Sendable private static func resource(_ invocation: Invocation) throws {
    let name = invocation.operands[0]
    try Database.with(invocation) { store, _ in
      let reader = try store.makeReader()
      let tenant = reader.tenant(try reader.chosenOrganization(invocation).id)
      let registry = try tenant.registry()
      var found = try registry.types.compactMap { (type) throws(SCIMError) in
        try tenant.resource(id: name, type: type, links: .all)
      }
      if found.isEmpty, let user = registry.type(named: "User") {
        let text = String(decoding: JSON.string(name).encoded(), as: UTF8.self)
        let filter = try ResolvedFilter(parsing: "userName eq \(text)", type: user, profile: .strict)
        let query = SearchQuery(
          parts: [SearchQuery.Part(type: user, filter: filter)], window: .index(offset: 0, count: 1))
        found = try tenant.search(query).resources
      }
      guard !found.isEmpty else { throw CommandFailure(message: "there is no resource '\(name)'") }
      for stored in found { Console.output.writeJSON(.object(try ResourceView(stored).whole)) }
    }
  }
}
