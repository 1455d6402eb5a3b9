import Foundation
import SCIMCore
import SCIMSQL
import SCIMService

/// `roster seed`: puts tenants from files, or made-up ones, into a database.
enum SeedCommand {
  static let command = Command(
    name: "seed", summary: "create organisations from seed files, or generate one",
    details:
      "What already exists is not changed: seeding twice changes nothing, but for resources without anything that tells"
      + " them apart, which it counts. If a file has a mistake, nothing is written.",
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
      throw UsageError(message: "pass seed files, or --generate N")
    }
    if let count {
      try generate(count, invocation)
    } else {
      try importFiles(invocation)
    }
  }

  /// A file that was read and checked.
  private struct SeedFile {
    var path: String
    var bytes: [UInt8]
    var document: SeedDocument

    /// What is kept as it is sent and perhaps not meant so: the first of it, since each place is looked for in the text.
    var notes: [SeedError] { document.organizations.flatMap { notes(of: $0) } }

    func notes(of organization: SeedOrganization) -> [SeedError] {
      organization.notes.prefix(SeedErrors.shown).map { SeedError($0, file: path, bytes: bytes) }
    }
  }

  private static func importFiles(_ invocation: Invocation) throws {
    let files = try read(invocation)
    if invocation.flag("check") {
      let isTried = try check(files, invocation)
      let count = files.count == 1 ? "1 file is valid" : "\(files.count) files are valid"
      let notes = files.flatMap { $0.notes }
      invocation.print(
        json: [
          "validFiles": .integer(Int64(files.count)), "tried": .bool(isTried), "notes": .array(notes.map(\.json)),
        ], orText: count + (isTried ? "" : "; not tried in the database") + ".\n")
      if !invocation.flag("json") {
        show(notes)
        if !isTried {
          Console.error.writeLine(
            "too long to be tried beside a server: limits of assignments, circles, and what must be unique in the database "
              + "are found out when it is written")
        }
      }
      return
    }
    var differences: [SeedError] = []
    let summaries = try Database.with(invocation, creates: true) { store, registry in
      try files.flatMap { file in
        do {
          let summaries = try SeedImporter(registry: registry).importDocument(file.document, into: store)
          func note(_ path: SeedPath, _ message: String) {
            differences.append(SeedError(SeedFault(path: path, message: message), file: file.path, bytes: file.bytes))
          }
          for difference in summaries.flatMap(\.differences) {
            note(
              difference.path,
              "already exists and differs in \(difference.attributes.joined(separator: ", ")); it was not changed")
          }
          for path in summaries.flatMap(\.deleted) {
            note(
              path, "was deleted, and its id is not issued again; it was not created. Give it another id to create it.")
          }
          return summaries
        } catch let fault as SeedFault {
          throw SeedErrors([fault], file: file.path, bytes: file.bytes).failure
        }
      }
    }
    let notes = files.flatMap { file in file.document.organizations.map(file.notes) }
    report(summaries, differences, notes: notes, invocation)
  }

  /// Refuses what the store would refuse; false where that was not tried.
  private static func check(_ files: [SeedFile], _ invocation: Invocation) throws -> Bool {
    let trial = SeedTrial(registry: try Database.registry(invocation))
    let documents = files.map(\.document)
    var outcome = SeedTrial.Outcome.tooLong
    var isNew = true
    if access(try invocation.required("db"), F_OK) == 0 {
      (outcome, isNew) = try Database.with(invocation) { store, _ in
        let present = Set(try store.makeReader().organizations().map(\.name))
        let names = documents.flatMap(\.organizations).map(\.name)
        return (try trial.run(documents, in: store, isAlone: false), names.allSatisfy { !present.contains($0) })
      }
    }
    if case .tooLong = outcome, isNew { outcome = try trial.runAlone(documents) }
    switch outcome {
    case .taken: return true
    case .refused(let index, let fault):
      throw SeedErrors([fault], file: files[index].path, bytes: files[index].bytes).failure
    case .tooLong: return false
    }
  }

  /// All files, checked before the first one is written.
  private static func read(_ invocation: Invocation) throws -> [SeedFile] {
    guard access(try invocation.required("db"), F_OK) == 0 else { return try read(invocation, reader: nil) }
    return try Database.with(invocation) { store, _ in try read(invocation, reader: store.makeReader()) }
  }

  /// - Parameter reader: of the database; nil where there is none yet.
  private static func read(_ invocation: Invocation, reader stored: (any StoreReader)?) throws -> [SeedFile] {
    let links = SeedLinks(reader: stored)
    let reader = SeedReader(
      registry: try Database.registry(invocation), present: try stored.map(presentRegistries) ?? [:], links: links
    ) { (body, type) throws(SCIMError) in
      let resource = try ResourceNormalizer.normalize(.object(body), type: type, profile: .strict)
      try ResourceValidator.validate(document: resource.document, links: resource.links, type: type)
    }
    var files: [SeedFile] = []
    var errors: [SeedError] = []
    for path in invocation.operands {
      let bytes = try InputFile.read(path)
      do throws(SeedErrors) {
        files.append(SeedFile(path: path, bytes: bytes, document: try reader.read(bytes, file: path)))
      } catch {
        errors += error.errors
      }
    }
    if let failure = links.failure { throw failure }
    guard errors.isEmpty else { throw SeedErrors(errors).failure }
    return files
  }

  /// The registries of the organisations that exist: with definitions of their own, and by their settings.
  private static func presentRegistries(_ reader: any StoreReader) throws -> [String: SchemaRegistry] {
    var registries: [String: SchemaRegistry] = [:]
    for organization in try reader.organizations() {
      registries[organization.name] = try reader.tenant(organization.id).registry()
    }
    return registries
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
      let others = try store.makeReader().organizations().filter { $0.name != name }
      return try GeneratedImport(generator: generator, registry: registry, isShared: !others.isEmpty)
        .run(into: store) { stop.isPending() }
    }
    guard isComplete else {
      let total = summary.created + summary.unchanged
      throw CommandFailure(
        message:
          "stopped: \(total) of the resources of \(name) are stored. Run the same command again to add the rest.",
        details: JSONObject([.init(key: "stored", value: .integer(Int64(total)))]))
    }
    report([summary], [], notes: [[]], invocation)
  }

  /// - Parameter notes: of each organisation, in the order of the summaries.
  private static func report(
    _ summaries: [SeedImporter.Summary], _ differences: [SeedError], notes: [[SeedError]], _ invocation: Invocation
  ) {
    invocation.print(
      json: .array(
        zip(summaries, notes).map { summary, notes in
          [
            "organization": .string(summary.organization), "created": .integer(Int64(summary.created)),
            "unchanged": .integer(Int64(summary.unchanged)),
            "different": .integer(Int64(summary.differences.count)),
            "unrecognized": .integer(Int64(summary.unrecognized)), "notes": .array(notes.map(\.json)),
          ]
        }), orText: summaries.map(line).joined())
    if !invocation.flag("json") { show(notes.flatMap(\.self)) }
    for difference in differences.prefix(SeedErrors.shown) {
      Console.error.writeLine(DisplayWidth.escaped(difference.description))
    }
    if differences.count > SeedErrors.shown {
      Console.error.writeLine("and \(differences.count - SeedErrors.shown) more that differ")
    }
  }

  private static func line(_ summary: SeedImporter.Summary) -> String {
    let text = "\(summary.organization): \(summary.created) created, \(summary.unchanged) already exist"
    guard summary.unrecognized > 0 else { return text + "\n" }
    return text + "; \(summary.unrecognized) have no id or unique value, and each further run creates them again\n"
  }

  private static func show(_ notes: [SeedError]) {
    for note in notes { Console.error.writeLine(DisplayWidth.escaped(note.description)) }
  }
}
