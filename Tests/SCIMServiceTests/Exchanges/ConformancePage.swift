import Foundation

/// The generated parts of `docs/conformance.md`.
struct ConformancePage {
  var standards = Standard.all
  var departures = Departure.all
  var leniencies = Leniency.all
  var exchanges = ExchangeCase.all

  /// The parts by the names that their marks in the page have.
  var parts: [(name: String, text: String)] {
    [
      ("counts", counts), ("departures", table(of: departures.filter { !$0.isChoice })),
      ("choices", table(of: departures.filter(\.isChoice))), ("leniencies", leniencyTable),
      ("requirements", requirementTables), ("others", others),
    ]
  }

  /// The page with its generated parts brought up to date; nil where a mark is missing.
  func filled(_ page: String) -> String? {
    var page = page
    for part in parts {
      guard let begin = page.range(of: "<!-- \(part.name): made by `make docs` -->\n"),
        let end = page.range(of: "<!-- end of \(part.name) -->", range: begin.upperBound..<page.endIndex)
      else { return nil }
      page.replaceSubrange(begin.upperBound..<end.lowerBound, with: "\n" + part.text + "\n")
    }
    return page
  }

  /// How many requirements there are, by the weight of their word and by how they stand.
  private var counts: String {
    var text = "| | | in all | held | departs | for others |\n|---|---|---|---|---|---|\n"
    for standard in standards {
      let kinds: [(String, (String) -> Bool)] = [
        ("must, shall, required", { $0.hasPrefix("MUST") || $0.hasPrefix("SHALL") || $0 == "REQUIRED" }),
        ("should, recommended", { $0.hasPrefix("SHOULD") || $0 == "RECOMMENDED" }),
        ("said without such a word", { $0 == "text" }),
      ]
      for (kind, fits) in kinds {
        let rows = standard.requirements.filter { fits($0.level) }
        var held = 0
        var departs = 0
        for row in rows {
          switch row.standing {
          case .held: held += 1
          case .departs: departs += 1
          case .elsewhere: break
          }
        }
        let cells = [standard.name, kind] + [rows.count, held, departs, rows.count - held - departs].map { "\($0)" }
        text += line(cells)
      }
    }
    return text
  }

  private func table(of rows: [Departure]) -> String {
    var text = "| | the text | Roster | why | shown by |\n|---|---|---|---|---|\n"
    for row in rows {
      text += line(["<a id=\"\(row.id)\"></a>\(number(row.id))", row.text, row.roster, row.why, names(row.shown)])
    }
    return text
  }

  private var leniencyTable: String {
    var text = "| sent | read as | `strict` | shown by |\n|---|---|---|---|\n"
    for row in leniencies {
      let strict = row.note ?? (row.strictRefuses ? "refuses" : "reads it alike")
      text += line([row.sent, row.read, strict, names(row.shown)])
    }
    return text
  }

  private var requirementTables: String {
    var text = ""
    for standard in standards {
      text += "### \(standard.name): \(standard.title)\n\n"
      text += "| § | level | requirement | shown by |\n|---|---|---|---|\n"
      for row in standard.requirements {
        let stands: String
        switch row.standing {
        case .held: stands = names(row.shown)
        case .departs(let ids):
          let links = ids.map { "[\(number($0))](#\($0))" }
          stands =
            "**departs**, see \(links.joined(separator: ", "))"
            + (row.shown.isEmpty ? "" : "; the rest: \(names(row.shown))")
        case .elsewhere(let why): stands = "*for others:* \(why)"
        }
        let level = row.level == "text" ? "" : row.level
        text += line([row.section, level, row.text, stands])
      }
      text += "\n"
      let more = unnamed(standard)
      guard !more.isEmpty else { continue }
      text += "More exchanges, by the section that each names first:\n\n"
      for (section, names) in more { text += "- §\(section): \(names.joined(separator: "; "))\n" }
      text += "\n"
    }
    return text.trimmingCharacters(in: .newlines) + "\n"
  }

  /// The exchanges that name the standard first and that no other table names.
  private func unnamed(_ standard: Standard) -> [(section: String, names: [String])] {
    let named = Set(
      standards.flatMap { $0.requirements.flatMap(\.shown) } + departures.flatMap(\.shown) + leniencies.flatMap(\.shown)
    )
    var found: [String: [String]] = [:]
    for exchange in exchanges where !named.contains(exchange.name) {
      guard let first = ExchangeReason.sections(of: exchange).first, first.source == standard.name else { continue }
      found[first.number, default: []].append(exchange.name)
    }
    return found.sorted { ExchangeReason.isBefore($0.key, $1.key) }.map { ($0.key, $0.value) }
  }

  private var others: String {
    var text = ""
    for source in ExchangeReason.otherSources {
      let found = exchanges.filter { ExchangeReason.sections(of: $0).first?.source == source.name }
      guard !found.isEmpty else { continue }
      text += "### \(source.name): \(source.title)\n\n"
      for exchange in found { text += "- **\(exchange.name)**: \(ExchangeReason.purpose(exchange))\n" }
      text += "\n"
    }
    return text.trimmingCharacters(in: .newlines) + "\n"
  }

  /// The number of a departure in the page.
  private func number(_ id: String) -> Int { (departures.firstIndex { $0.id == id } ?? -1) + 1 }

  private func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }

  private func names(_ shown: [String]) -> String {
    shown.map { RequirementFile.isTest($0) ? "`\($0)`" : $0.replacingOccurrences(of: "|", with: "\\|") }
      .joined(separator: "; ")
  }
}
