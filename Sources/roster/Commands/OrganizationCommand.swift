import Glibc
import SCIMCore
import SCIMSQL
import SCIMService

/// `roster org`: organisations (tenants).
enum OrganizationCommand {
  private static let name = Operand(name: "ORG", help: "The organisation's name, for example acme.example.")
  private static let catalog = Option.value(
    "catalog", "open|closed", "Whether role and entitlement values that match nothing are kept or refused.")

  private static let grants = Option.value(
    "grants", "on|off", "Whether groups may grant roles and entitlements to their members.")

  private static let groupNames = Option.value(
    "group-names", "unique|free", "Whether two groups may share a name.")
  private static let externalIDs = Option.value(
    "external-ids", "unique|free", "Whether two users, or two groups, may share an externalId.")
  private static let announce = Option.value(
    "announce", "pagination,entitlements|none", "What ServiceProviderConfig shows beyond RFC 7643.")

  static let command = Command(
    name: "org", summary: "create, list, change and delete organisations",
    commands: [
      Command(
        name: "create", summary: "create an organisation", operands: [name],
        options: [
          with(catalog, fallback: "open"), with(grants, fallback: "off"), with(groupNames, fallback: "unique"),
          with(externalIDs, fallback: "free"), with(announce, fallback: "pagination"), .database, .schemas, .json,
        ],
        run: create),
      Command(name: "list", summary: "list the organisations", options: [.database, .json], run: list),
      Command(
        name: "show", summary: "show an organisation and what it holds", operands: [name],
        options: [.database, .schemas, .json], run: show),
      Command(
        name: "set", summary: "change an organisation", operands: [name],
        options: [
          catalog, grants, .flag("force", "With --grants off: remove what groups grant."), groupNames, externalIDs,
          announce,
          .value("rename", "NAME", "The new name."), .database, .schemas, .json,
        ], run: set),
      Command(
        name: "delete", summary: "delete an organisation with everything in it", operands: [name],
        options: [.flag("yes", "Do not ask for confirmation."), .database, .json], run: delete),
    ])

  private static func with(_ option: Option, fallback: String) -> Option {
    var option = option
    option.fallback = fallback
    return option
  }

  @Sendable private static func create(_ invocation: Invocation) throws {
    let name = try checkedName(invocation.operands[0])
    let chosen = try chosen(invocation)
    let organization = try Database.with(invocation, creates: true) { store, _ in
      try store.writeAndWait { (transaction) throws(SCIMError) in
        guard try transaction.organization(named: name) == nil else {
          throw SCIMError(.uniqueness, "organisation '\(name)' already exists")
        }
        var organization = try transaction.createOrganization(
          name: name, catalog: chosen.catalog ?? .open, grants: chosen.grants ?? false)
        chosen.apply(to: &organization)
        try transaction.updateOrganization(organization)
        return organization
      }
    }
    invocation.print(json: json(organization), orText: "Created organisation \(organization.name).\n")
  }

  @Sendable private static func list(_ invocation: Invocation) throws {
    let organizations = try Database.with(invocation) { store, _ in try store.makeReader().organizations() }
    var table = Table("NAME", "CATALOG", "GRANTS", "GROUP NAMES", "EXTERNAL IDS", "ANNOUNCED", "CREATED")
    table.rows = organizations.map {
      [
        $0.name, $0.catalog.rawValue, Setting($0.grants).rawValue, $0.groupNames.rawValue, $0.externalIDs.rawValue,
        $0.announced.text, $0.created.text,
      ]
    }
    invocation.print(json: .array(organizations.map(json)), orText: invocation.text(of: table))
  }

  @Sendable private static func show(_ invocation: Invocation) throws {
    try Database.with(invocation) { store, _ in
      let reader = try store.makeReader()
      let organization = try reader.requireOrganization(invocation.operands[0])
      let registry = try reader.tenant(organization.id).registry()
      let keys = try reader.keys(of: organization.id)
      var table = Table("", "")
      table.rows = [
        ["name", organization.name], ["catalog", organization.catalog.rawValue],
        ["grants", Setting(organization.grants).rawValue], ["group names", organization.groupNames.rawValue],
        ["external ids", organization.externalIDs.rawValue], ["announced", organization.announced.text],
        ["created", organization.created.text], ["keys", String(keys.count)],
      ]
      var counts = JSONObject()
      for type in registry.types {
        let total = try reader.tenant(organization.id).total(of: type)
        counts[type.name] = .integer(Int64(total))
        table.rows.append([type.endpoint, String(total)])
      }
      guard case .object(var object) = json(organization) else { return }
      object["keys"] = .integer(Int64(keys.count))
      object["resources"] = .object(counts)
      // The title line is empty: the names stand in the first column.
      let text = String(table.text(hasStyle: false).drop { $0.isNewline })
      invocation.print(json: .object(object), orText: text)
    }
  }

  @Sendable private static func set(_ invocation: Invocation) throws {
    var chosen = try chosen(invocation)
    chosen.name = try invocation.text("rename").map(checkedName)
    let (change, force) = (chosen, invocation.flag("force"))
    guard !change.isEmpty else {
      throw UsageError(
        message: "nothing to change: pass --catalog, --grants, --group-names, --external-ids, --announce or --rename")
    }
    guard !force || change.grants == false else { throw UsageError(message: "--force requires --grants off") }
    guard !force || (change.groupNames == nil && change.externalIDs == nil) else {
      throw UsageError(
        message: "--force excludes --group-names and --external-ids: change these in a command of their own")
    }
    let changed = try Database.with(invocation) { store, registry in
      let organization = try store.makeReader().requireOrganization(invocation.operands[0])
      return try make(change, of: organization.id, force: force, base: registry, in: store)
    }
    let before = invocation.operands[0]
    let name = changed.name == before ? "Changed \(before)" : "Renamed \(before) to \(changed.name)"
    invocation.print(json: json(changed), orText: "\(name). \(summary(of: changed))\n")
  }

  /// The catalogue and grants, and what else is not as it is in a new organisation.
  private static func summary(of organization: Organization) -> String {
    var text = "Its catalogue is \(organization.catalog.rawValue); grants are \(Setting(organization.grants).rawValue)"
    if organization.groupNames == .free { text += "; groups may share a name" }
    if organization.externalIDs == .unique { text += "; externalIds are unique" }
    if organization.announced != Organization.Announcement.standard {
      text += "; ServiceProviderConfig announces \(organization.announced.text)"
    }
    return text + "."
  }

  private static func make(
    _ change: OrganizationChange, of organization: OrganizationID, force: Bool, base: SchemaRegistry, in store: SQLStore
  ) throws -> Organization {
    do throws(SCIMError) {
      return try SettingsWriter(base: base).applyAndWait(
        change, to: store.tenant(organization), force: force, pause: Database.pause)
    } catch  where error.kind == .conflict {
      throw CommandFailure(message: error.detail.naming(option: "force"))
    }
  }

  /// The settings that a command line names.
  private static func chosen(_ invocation: Invocation) throws -> OrganizationChange {
    OrganizationChange(
      catalog: try invocation.choice("catalog", of: Organization.Catalog.self),
      grants: try invocation.choice("grants", of: Setting.self).map { $0 == .on },
      groupNames: try invocation.choice("group-names", of: Organization.Uniqueness.self),
      externalIDs: try invocation.choice("external-ids", of: Organization.Uniqueness.self),
      announced: try invocation.text("announce").map { (text) throws(UsageError) in
        guard let announced = Set<Organization.Announcement>(text: text) else {
          let known = Organization.Announcement.allCases.map(\.rawValue).joined(separator: ", ")
          throw UsageError(message: "--announce must be none, or one or more of \(known), with commas between")
        }
        return announced
      })
  }

  /// What is on or off.
  private enum Setting: String, CaseIterable {
    case on, off

    init(_ isOn: Bool) { self = isOn ? .on : .off }
  }

  @Sendable private static func delete(_ invocation: Invocation) throws {
    try Database.with(invocation) { store, _ in
      let organization = try store.makeReader().requireOrganization(invocation.operands[0])
      if !invocation.flag("yes") {
        guard isatty(STDIN_FILENO) == 1 else {
          throw UsageError(message: "this deletes everything of \(organization.name). Pass --yes to confirm.")
        }
        Console.error.write("Delete \(organization.name) with all its users, groups, roles and keys? Type its name: ")
        guard readLine() == organization.name else { throw CommandFailure(message: "nothing was deleted") }
      }
      // Gone with the first transaction; a server on the same file writes between the others.
      try store.writeInStepsAndWait(from: true, pause: Database.pause) {
        (transaction, isFirst) throws(SCIMError) -> WriteStep<Bool, Void> in
        try transaction.deleteOrganization(organization.id, isFirst: isFirst)
      }
      invocation.print(
        json: ["name": .string(organization.name), "deleted": true],
        orText: "Deleted organisation \(organization.name).\n")
    }
  }

  private static func checkedName(_ name: String) throws(UsageError) -> String {
    guard OrganizationName.isValid(name) else { throw UsageError(message: OrganizationName.rule) }
    return name
  }

  static func json(_ organization: Organization) -> JSON {
    [
      "name": .string(organization.name), "catalog": .string(organization.catalog.rawValue),
      "grants": .bool(organization.grants), "groupNames": .string(organization.groupNames.rawValue),
      "externalIds": .string(organization.externalIDs.rawValue), "announced": .string(organization.announced.text),
      "created": .string(organization.created.text),
    ]
  }
}

extension TenantReader {
  /// How many resources of a type the organisation has.
  func total(of type: ResourceType) throws(SCIMError) -> Int {
    let query = SearchQuery(
      parts: [SearchQuery.Part(type: type, filter: nil)], window: .index(offset: 0, count: 0), links: .none)
    return try search(query).total
  }
}
