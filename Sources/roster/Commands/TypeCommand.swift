import Foundation
import SCIMCore
import SCIMService

/// `roster type`: the resource types and extensions that an organisation defines for itself.
enum TypeCommand {
  private static let name = Operand(name: "NAME", help: "The name of the type, or the URN of an extension.")

  static let command = Command(
    name: "type", summary: "define and retire an organisation's own resource types and extensions",
    details: "A running server on the same database applies each change from its next request on.",
    commands: [
      Command(
        name: "add", summary: "add a type or an extension from a JSON file, or change the one of its name",
        details:
          "The file holds name, displayName, endpoint, description and extension (schema, attributes); or extends, with the"
          + " name of a built-in type, and extension. See docs/entitlements.md.",
        operands: [Operand(name: "FILE", help: "The description, as JSON.")],
        options: [
          .organization, .database, .schemas, .json,
        ], run: add),
      Command(
        name: "list", summary: "list the resource types", options: [.organization, .database, .schemas, .json],
        run: list),
      Command(
        name: "show", summary: "show a type or a schema as clients discover it, as JSON", operands: [name],
        options: [.organization, .database, .schemas, .flag("json", "Print JSON, which is what it always does.")],
        run: show),
      Command(
        name: "retire", summary: "remove a type or an extension that nothing uses",
        details:
          "A built-in type other than User, Group and Role is removed for this organisation alone, which can then"
          + " define its own under the same name.",
        operands: [name],
        options: [
          .flag("force", "Remove its resources and their assignments, or the values of the extension, as well."),
          .organization, .database, .schemas, .json,
        ], run: retire),
      Command(
        name: "restore", summary: "bring back a built-in type that was retired",
        operands: [Operand(name: "NAME", help: "The name of the built-in type.")],
        options: [.organization, .database, .schemas, .json], run: restore),
    ])

  @Sendable private static func add(_ invocation: Invocation) throws {
    let path = invocation.operands[0]
    let data = Data(try InputFile.read(path))
    let json: JSON
    do {
      json = try JSON(parsing: data)
    } catch {
      let (line, column) = error.position(in: data)
      throw CommandFailure(message: "\(path):\(line):\(column): \(error.reason(in: data))", hasPlaces: true)
    }
    let description = try TypeDescription(json, name: path)
    let isNew = try Database.with(invocation) { store, registry in
      let tenant = store.tenant(try store.makeReader().chosenOrganization(invocation).id)
      let writer = DefinitionWriter(base: registry)
      let (_, isNew) = try writer.change(adding: description, in: tenant.makeReader())
      try writer.applyAndWait(to: tenant, pause: Database.pause) { (reader) throws(SCIMError) in
        try writer.change(adding: description, in: reader).change
      }
      return isNew
    }
    let what = description.isAddition ? description.schema?.name ?? description.name : description.name
    invocation.print(
      json: ["name": .string(what), "created": .bool(isNew)], orText: "\(isNew ? "Added" : "Changed") \(what).\n")
  }

  @Sendable private static func list(_ invocation: Invocation) throws {
    try Database.with(invocation) { store, builtIn in
      let reader = try store.makeReader()
      let tenant = reader.tenant(try reader.chosenOrganization(invocation).id)
      let registry = try tenant.registry()
      let versions = Dictionary(
        try tenant.definitions().filter { $0.kind == .type }.map { ($0.name, $0.version) },
        uniquingKeysWith: { first, _ in first })
      var table = Table("NAME", "ENDPOINT", "VERSION", "RESOURCES", "EXTENSIONS")
      table.columns[3].isTrailing = true
      var list: [JSON] = []
      for type in registry.types {
        let total = try tenant.total(of: type)
        let version = versions[type.name]
        let extensions = type.extensions.map(\.schema.id)
        table.rows.append([
          type.name, type.endpoint, version.map(String.init) ?? "built in", String(total),
          extensions.joined(separator: " "),
        ])
        list.append([
          "name": .string(type.name), "endpoint": .string(type.endpoint), "builtIn": .bool(version == nil),
          "version": version.map { .integer($0) } ?? .null, "resources": .integer(Int64(total)),
          "extensions": .array(extensions.map { .string($0) }),
        ])
      }
      for one in registry.unreadable {
        let name = one.kind == .type ? one.name : one.urn ?? one.name
        table.rows.append([name, "", "", "", "cannot be read: \(one.reason)"])
        list.append(["name": .string(name), "kind": .string(one.kind.rawValue), "unreadable": .string(one.reason)])
      }
      invocation.print(json: .array(list), orText: invocation.text(of: table))
    }
  }

  @Sendable private static func show(_ invocation: Invocation) throws {
    let name = invocation.operands[0]
    try Database.with(invocation) { store, _ in
      let reader = try store.makeReader()
      let registry = try reader.tenant(reader.chosenOrganization(invocation).id).registry()
      let document = registry.type(named: name)?.document ?? registry.schema(id: name)?.document
      guard let document else {
        let names = registry.types.map(\.name) + registry.schemas.map(\.id)
        let hint = Suggestion.sentence(Suggestion.nearest(to: name, among: names))
        throw CommandFailure(message: "there is no resource type or schema '\(name)'\(hint)")
      }
      Console.output.writeJSON(.object(document))
    }
  }

  @Sendable private static func retire(_ invocation: Invocation) throws {
    let name = invocation.operands[0]
    let force = invocation.flag("force")
    try Database.with(invocation) { store, registry in
      let tenant = store.tenant(try store.makeReader().chosenOrganization(invocation).id)
      let writer = DefinitionWriter(base: registry)
      do throws(SCIMError) {
        try writer.applyAndWait(to: tenant, force: force, pause: Database.pause) { (reader) throws(SCIMError) in
          try writer.change(retiring: name, in: reader)
        }
      } catch  where error.kind == .conflict {
        throw CommandFailure(message: error.detail.naming(option: "force"))
      }
    }
    invocation.print(json: ["name": .string(name)], orText: "Retired \(name).\n")
  }

  @Sendable private static func restore(_ invocation: Invocation) throws {
    let name = invocation.operands[0]
    try Database.with(invocation) { store, registry in
      let tenant = store.tenant(try store.makeReader().chosenOrganization(invocation).id)
      let writer = DefinitionWriter(base: registry)
      try writer.applyAndWait(to: tenant, pause: Database.pause) { (reader) throws(SCIMError) in
        try writer.change(restoring: name, in: reader)
      }
    }
    invocation.print(json: ["name": .string(name)], orText: "Restored \(name).\n")
  }
}
