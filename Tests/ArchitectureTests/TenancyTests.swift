import Testing

/// Above the store nothing but a short list of places tells organisations apart.
@Suite struct TenancyTests {
  /// The files of the service that name an `OrganizationID`, and what for.
  static let allowed: [String: String] = [
    "Authentication/RateLimiter.swift": "requests a second of each organisation",
    "IgnoredNames.swift": "what the log was told of each organisation",
    "Operations/DefinitionTurns.swift": "one change of definitions of an organisation at a time",
    "Service.swift": "the workers serve organisations in turn",
    "ServiceConfiguration.swift": "organisations whose clients leave much unread",
    "Workers.swift": "the workers of one organisation",
    "Writing/PasswordHasher.swift": "organisations are served in turn",
  ]

  @Test func theServiceTellsOrganisationsApartInFewPlaces() throws {
    var found: Set<String> = []
    for path in ProjectFiles.list(["Sources/SCIMService"]) where path.hasSuffix(".swift") {
      guard try ProjectFiles.text(path).contains("OrganizationID") else { continue }
      found.insert(String(path.dropFirst("Sources/SCIMService/".count)))
    }
    #expect(found == Set(Self.allowed.keys))
  }

  /// What an operation is given cannot reach another organisation.
  @Test func operationsHoldNoStore() throws {
    let across = ["any Store", "some Store", "StoreReader", "StoreTransaction", "OrganizationWriter"]
    let start: Set = ["SCIMResponder.swift", "Service.swift", "Authentication/Authentication.swift"]
    for path in ProjectFiles.list(["Sources/SCIMService"]) where path.hasSuffix(".swift") {
      let file = String(path.dropFirst("Sources/SCIMService/".count))
      guard !start.contains(file) else { continue }
      let text = try ProjectFiles.text(path)
      for name in across { #expect(!text.contains(name), "\(file) names \(name)") }
    }
  }
}
