import Foundation
import SCIMCore
import SCIMSQL
import SCIMService

/// `roster seed`: puts tenants from files, or made-up ones, into a database.
enum SeedCommand {
  static let command = Command(
    name: "seed", summary: "create organisations from seed files, or generate one",
    details:
      "What exists already is left as it is: seeding twice changes nothing. If a file has a mistake, nothing is written.",
    operands: [
      Operand(
        name: "FILE", help: "A seed file; the format is described in docs/seed-format.md.", isRequired: false,
        isRepeated: true)
    ],
    options: [
      .value("generate", "N", "Generate N users with roles, characteristics and groups; needs no file."),
      .value("org", "ORG", "The organisation for --generate.", default: "generated.example"),
      .value("seed", "NUMBER", "The same number generates the same users; another one others.", default: "1"),
      .value(
        "roles-per-user", "N", "Assign exactly N of the \(TenantGenerator.roleCount) roles to each generated user."),
      .flag("check", "Only check; write nothing."), .database, .schemas, .json,
    ], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws {
    let count = try invocation.integer("generate", in: 1...10_000_000)
    guard (count == nil) != invocation.operands.isEmpty else {
      throw UsageError(message: "give seed files, or --generate N")
    }
    if let count {
      try generate(count, invocation)
    } else {
      try importFiles(invocation)
    }
  }

  private static func importFiles(_ invocation: Invocation) throws {
    let registry = try Database.registry(invocation)
    let present = try presentRegistries(invocation)
    let reader = SeedReader(registry: registry, present: present) { (body, type) throws(SCIMError) in
      let resource = try ResourceNormalizer.normalize(.object(body), type: type, profile: .strict)
      try ResourceValidator.validate(document: resource.document, links: resource.links, type: type)
    }
    // All files are checked before the first one is written.
    let files = try invocation.operands.map { path in
      let bytes = try InputFile.read(path)
      return (path: path, bytes: bytes, document: try reader.read(bytes, file: path))
    }
    if invocation.flag("check") {
      let count = files.count == 1 ? "1 file is valid" : "\(files.count) files are valid"
      invocation.print(json: ["validFiles": .integer(Int64(files.count))], orText: count + ".\n")
      return
    }
    let summaries = try Database.with(invocation, creates: true) { store, registry in
      try files.flatMap { file in
        do {
          return try SeedImporter(registry: registry).importDocument(file.document, into: store)
        } catch let fault as SeedFault {
          let offset = SeedLocator.offset(of: fault.path, in: file.bytes)
          throw SeedError(
            file: file.path, bytes: file.bytes, offset: offset, path: fault.path, message: fault.message)
        }
      }
    }
    report(summaries, invocation)
  }

  /// The registries of organisations that have definitions of their own already; none where there is no database yet.
  private static func presentRegistries(_ invocation: Invocation) throws -> [String: SchemaRegistry] {
    guard access(try invocation.required("db"), F_OK) == 0 else { return [:] }
    return try Database.with(invocation) { store, _ in
      let reader = try store.makeReader()
      var registries: [String: SchemaRegistry] = [:]
      for organization in try reader.organizations() {
        let registry = try reader.registry(of: organization.id)
        if registry.revision > 0 { registries[organization.name] = registry }
      }
      return registries
    }
  }

  private static func generate(_ count: Int, _ invocation: Invocation) throws {
    let name = try invocation.required("org")
    guard OrganizationName.isValid(name) else { throw UsageError(message: OrganizationName.rule) }
    let seed = try invocation.integer("seed", in: 0...Int.max) ?? 1
    let generator = TenantGenerator(
      count: count, seed: UInt64(seed), domain: name,
      rolesPerUser: try invocation.integer("roles-per-user", in: 0...TenantGenerator.roleCount))
    if invocation.flag("check") {
      invocation.print(
        json: [
          [
            "organization": .string(name), "users": .integer(Int64(count)),
            "groups": .integer(Int64(generator.groupCount)),
          ]
        ],
        orText: "\(name): would generate \(count) users and \(generator.groupCount) groups. Nothing was written.\n")
      return
    }
    var stop = StopRequest()
    let (summary, isComplete) = try Database.with(invocation, creates: true, isBulk: true) { store, registry in
      try GeneratedImport(generator: generator, registry: registry).run(into: store) { stop.isPending() }
    }
    guard isComplete else {
      let total = summary.created + summary.unchanged
      throw CommandFailure(
        message:
          "stopped: \(total) of the resources of \(name) are stored. Run the same command again to add the rest.",
        details: JSONObject([.init(key: "stored", value: .integer(Int64(total)))]))
    }
    report([summary], invocation)
  }

  private static func report(_ summaries: [SeedImporter.Summary], _ invocation: Invocation) {
    invocation.print(
      json: .array(
        summaries.map {
          [
            "organization": .string($0.organization), "created": .integer(Int64($0.created)),
            "unchanged": .integer(Int64($0.unchanged)),
          ]
        }),
      orText: summaries.map { "\($0.organization): \($0.created) created, \($0.unchanged) already exist\n" }.joined())
  }
}
