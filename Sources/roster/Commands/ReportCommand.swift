import SCIMCore
import SCIMSQL

/// `roster report`: who holds which roles and entitlements, and what of them is of no use.
enum ReportCommand {
  private static func options(default format: ReportFormat) -> [Option] {
    [
      .organization, .value("format", "FORMAT", "table, csv or json; \(format.rawValue) if not given."),
      .value("output", "FILE", "Write to a file instead of standard output; the file appears once it is complete."),
      .flag(
        "spreadsheet",
        "For CSV in a spreadsheet: begin with a byte order mark, and write ' before cells that would be formulas."
      ),
      .database, .schemas, .flag("json", "The same as --format json."),
    ]
  }

  private static let formats =
    "CSV is that of RFC 4180, JSON one array with an object on each line. A table shows at most"
    + " \(ReportWriter.tableLimit) rows."

  static let command = Command(
    name: "report", summary: "report who holds which roles and entitlements, and which ones nobody holds",
    commands: [
      Command(
        name: "access", summary: "list who holds what, directly, through groups or as a part of what they hold",
        details: "A row for each way in which somebody holds a role or an entitlement: 'direct', through the 'group' or"
          + " 'contained' in the entry that 'via' names. 'linked' is false for values outside the catalogue. All of it is of one moment,"
          + " also while a server writes. " + formats,
        options: options(default: .csv), run: access),
      Command(
        name: "unused", summary: "list the catalogue's entries that nobody holds",
        details: "An entry is listed if nobody holds it directly or as a part of another one, and no group grants it. "
          + formats,
        options: options(default: .table),
        run: unused),
      Command(
        name: "orphans", summary: "list values of roles and entitlements that match nothing in the catalogue",
        details:
          "Shows how many hold each value, and the first holder. CANDIDATE is the entry that the value names now:"
          + " it is linked when it is assigned again. " + formats, options: options(default: .table), run: orphans),
    ])

  @Sendable private static func access(_ invocation: Invocation) throws {
    try report(invocation, default: .csv, columns: AccessReport.columns) { reader, writer, output in
      var report = try AccessReport(reader: reader)
      var total = 0
      for type in try reader.holderTypes() {
        total += try reader.count(of: type)
      }
      // Lines of a report that run over the same terminal would tear it.
      var bar = output.isTerminal ? nil : ProgressBar("Reporting", total: total)
      defer { bar?.finish() }
      _ = try report.run(writer) { bar?.update($0) }
    }
  }

  @Sendable private static func unused(_ invocation: Invocation) throws {
    try report(invocation, default: .table, columns: ["kind", "type", "value", "display", "supported"]) {
      reader, writer, _ in
      for entry in CatalogView(try reader.catalogEntries()).unused where !writer.isFull {
        try writer.write([
          .text(entry.kind), .text(entry.type), .text(entry.id), .text(entry.display), .flag(entry.isSupported),
        ])
      }
    }
  }

  @Sendable private static func orphans(_ invocation: Invocation) throws {
    let columns = ["kind", "type", "value", "display", "holders", "firstHolder", "firstHolderId", "candidate"]
    try report(invocation, default: .table, columns: columns, numbers: ["holders"]) { reader, writer, _ in
      let catalog = CatalogView(
        try reader.catalogEntries(), types: try reader.registry().types)
      var failure: CommandFailure?
      try reader.forEachUnmatchedValue { (value) throws(SCIMError) in
        do throws(CommandFailure) {
          try writer.write([
            .text(CatalogEntry.kind(ofSchema: value.schema)), .text(value.type), .text(value.value),
            .text(value.display), .number(value.holders), .text(value.example), .text(value.exampleID),
            .optional(catalog.candidate(for: value)?.id),
          ])
        } catch {
          failure = error
        }
        return failure == nil && !writer.isFull
      }
      if let failure { throw failure }
    }
  }

  /// Makes a report of one moment.
  private static func report(
    _ invocation: Invocation, default fallback: ReportFormat, columns: [String], numbers: Set<String> = [],
    _ body: (any TenantReports, ReportWriter, ReportOutput) throws -> Void
  ) throws {
    let given = try invocation.choice("format", of: ReportFormat.self)
    if invocation.flag("json"), let given, given != .json {
      throw UsageError(message: "--json and --format \(given.rawValue) exclude each other")
    }
    let format = invocation.flag("json") ? .json : given ?? fallback
    if invocation.flag("spreadsheet"), format != .csv {
      throw UsageError(message: "--spreadsheet requires --format csv")
    }
    try Database.with(invocation) { store, _ in
      let reader = try store.makeGovernanceReader()
      let organization = try reader.chosenOrganization(invocation)
      let output = try ReportOutput(path: invocation.text("output"))
      let writer = try ReportWriter(
        columns: columns, numbers: numbers, format: format,
        csv: CSV(isForSpreadsheets: invocation.flag("spreadsheet")), output: output,
        hasStyle: output.isTerminal && Console.output.hasStyle(environment: invocation.environment))
      try reader.snapshot {
        try body(reader.reports(of: organization.id), writer, output)
        try writer.finish()
      }
      if writer.isFull {
        Console.error.writeLine("Only the first \(writer.rows) rows are shown. Pass --format csv for all.")
      }
    }
  }
}
