import SCIMCore
import Testing

/// What `Tests/Fixtures/requirements` says of the RFCs is shown by exchanges and tests that there are.
struct RequirementTests {
  static let exchanges = Dictionary(ExchangeCase.all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  static let levels = [
    "MUST", "MUST NOT", "SHALL", "SHALL NOT", "REQUIRED", "SHOULD", "SHOULD NOT", "RECOMMENDED", "text",
  ]

  private func expectShown(_ shown: [String], _ place: String) {
    #expect(!shown.isEmpty, "nothing shows \(place)")
    for name in shown {
      let isThere = RequirementFile.isTest(name) ? RequirementFile.tests.contains(name) : Self.exchanges[name] != nil
      #expect(isThere, "there is no \(name), which should show \(place)")
    }
  }

  @Test func theFilesAreThere() {
    #expect(Standard.all.map(\.name) == ["RFC 7643", "RFC 7644", "RFC 9865"])
    #expect(Standard.all.allSatisfy { $0.requirements.count >= 20 })
    #expect(!Departure.all.isEmpty && !Leniency.all.isEmpty)
    #expect(RequirementFile.tests.contains("RequirementTests.theFilesAreThere"))
    #expect(Self.exchanges.count == ExchangeCase.all.count, "two exchanges have one name")
  }

  @Test func whatIsHeldIsShown() {
    for standard in Standard.all {
      for row in standard.requirements {
        let place = "\(standard.name) \(row.place)"
        #expect(Self.levels.contains(row.level), "\(place): \(row.level)")
        #expect(!row.section.isEmpty && !row.text.isEmpty, "\(place)")
        switch row.standing {
        case .held: expectShown(row.shown, place)
        case .departs(let ids):
          #expect(!ids.isEmpty, "\(place) names no departure")
          for id in ids {
            #expect(Departure.all.contains { $0.id == id && !$0.isChoice }, "\(place): there is no departure \(id)")
          }
          if !row.shown.isEmpty { expectShown(row.shown, place) }
        case .elsewhere(let why): #expect(!why.isEmpty && row.shown.isEmpty, "\(place)")
        }
      }
    }
  }

  @Test func rowsAreInTheOrderOfTheSections() {
    for standard in Standard.all {
      for (row, next) in zip(standard.requirements, standard.requirements.dropFirst()) {
        #expect(!ExchangeReason.isBefore(next.section, row.section), "\(standard.name) \(next.place)")
      }
    }
  }

  @Test func everySectionThatAnExchangeNamesIsListed() {
    let sections = Dictionary(uniqueKeysWithValues: Standard.all.map { ($0.name, Set($0.requirements.map(\.section))) })
    for exchange in ExchangeCase.all {
      for section in ExchangeReason.sections(of: exchange) {
        if let listed = sections[section.source] {
          #expect(listed.contains(section.number), "\(exchange.name): \(section.source) §\(section.number)")
        } else {
          let isKnown = ExchangeReason.otherSources.contains { $0.name == section.source }
          #expect(isKnown, "\(exchange.name): \(section.source)")
        }
      }
    }
  }

  @Test func everyDepartureIsShown() {
    #expect(Set(Departure.all.map(\.id)).count == Departure.all.count)
    for row in Departure.all {
      expectShown(row.shown, row.id)
      #expect(!row.text.isEmpty && !row.roster.isEmpty && !row.why.isEmpty, "\(row.id)")
    }
  }

  /// The exchange of a leniency has it taken from an `interop` key and, by the same verb, refused or taken from a
  /// `strict` one.
  @Test func everyLeniencyIsShownInBothProfiles() {
    for row in Leniency.all {
      expectShown(row.shown, row.sent)
      let steps = row.shown.compactMap { Self.exchanges[$0] }.flatMap(\.steps)
      let strict = steps.filter { $0.profile == .strict && isRefused($0) == row.strictRefuses }
      #expect(!strict.isEmpty, "no step with a strict key shows: \(row.sent)")
      for step in strict {
        let verb = step.request.prefix { $0 != " " }
        let isTaken = steps.contains { $0.profile == .interop && $0.request.hasPrefix(verb) && !isRefused($0) }
        #expect(isTaken, "no \(verb) with an interop key shows: \(row.sent)")
      }
    }
  }

  /// True where a step expects an error, of the request or of an operation of a Bulk request.
  private func isRefused(_ step: ExchangeCase.Step) -> Bool {
    if let operation = step.expect["body"]?["Operations"]?[0]?["status"]?.stringValue { return operation >= "400" }
    return (step.expect["status"]?.integerValue ?? 0) >= 400
  }
}
