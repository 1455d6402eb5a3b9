import Testing

@testable import SCIMCore

/// What is remembered of filters gives what parsing and resolving gives.
struct FilterMemoryTests {
  private static func words(_ resolve: () throws(SCIMError) -> ResolvedFilter) -> String {
    do throws(SCIMError) { return try resolve().words } catch { return "\(error.kind): \(error.detail)" }
  }

  /// Asks the memory and the ordinary way.
  private static func compare(_ text: String, _ memory: FilterMemory, _ type: ResourceType, _ profile: Profile) {
    let asked = words { () throws(SCIMError) in try memory.resolve(text, in: type, profile: profile) }
    let ordinary = words { () throws(SCIMError) in
      let filter = try FilterParser.parse(text, profile: profile)
      return try FilterResolver.resolve(filter, in: [type], profile: profile)[0].filter
    }
    #expect(asked == ordinary, "\(text)")
  }

  /// The filter with other texts in its double quotes.
  private static func varied(_ text: String, _ generator: inout FilterGenerator) -> String {
    let texts = ["", "a", "B c", "true", "10", "2020-01-01T00:00:00Z", "x@Y.example", ")]'(", "É", #"\""#, "and", "\t"]
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.enumerated().map { $0.offset % 2 == 1 ? generator.pick(texts) : String($0.element) }
      .joined(separator: "\"")
  }

  @Test(arguments: Profile.allCases) func `filters of the fixtures are the same with any texts`(profile: Profile) {
    var generator = FilterGenerator(seed: 4)
    let memory = FilterMemory()
    for filter in FilterResolverTests.byAll.map(\.filter) {
      Self.compare(filter, memory, FilterFixtures.widget, profile)
      for _ in 0..<8 { Self.compare(Self.varied(filter, &generator), memory, FilterFixtures.widget, profile) }
    }
    #expect(memory.count > 10)
  }

  @Test(arguments: ["User", "Group", "Widget"]) func `random filters are the same with any texts`(name: String) {
    let type = ["User": FilterFixtures.user, "Group": FilterFixtures.group][name] ?? FilterFixtures.widget
    var generator = FilterGenerator(seed: 5)
    let memory = FilterMemory()
    for _ in 0..<300 {
      let filter = generator.filter(for: type).description
      for profile in Profile.allCases {
        Self.compare(filter, memory, type, profile)
        for _ in 0..<4 { Self.compare(Self.varied(filter, &generator), memory, type, profile) }
      }
    }
    #expect(memory.count == 16)
  }

  @Test(
    "Filters whose values are quoted texts of text attributes are remembered",
    arguments: [
      #"userName eq "x""#, #"USERNAME  co "x" or not (title sw "")"#, #"emails[type eq "work" and value eq "x"]"#,
      #"title pr and externalId ne "x""#,
    ])
  func remembered(filter: String) throws {
    let memory = FilterMemory()
    _ = try memory.resolve(filter, in: FilterFixtures.user, profile: .interop)
    #expect(memory.count == 1)
    _ = try memory.resolve(
      filter.replacing("\"x\"", with: "\"Another\""), in: FilterFixtures.user, profile: .interop)
    #expect(memory.count == 1)
  }

  @Test(
    "Others are not",
    arguments: [
      "userName eq x", #"active eq "true""#,
      #"userName eq "x" and active eq true"#,
      #"meta.created gt "2020-01-01T00:00:00Z""#, "userName eq 'x'", #"userName eq 'x' or title eq "x""#,
      #"userName eq "é""#, #"userName eq "\"""#,
      "userName eq \"" + String(repeating: "x", count: 600) + "\"",
    ])
  func notRemembered(filter: String) throws {
    let memory = FilterMemory()
    _ = try memory.resolve(filter, in: FilterFixtures.user, profile: .interop)
    #expect(memory.count == 0)
  }

  @Test func `types and profiles are told apart`() throws {
    let memory = FilterMemory()
    let filter = #"displayName eq"x""#
    #expect(try memory.resolve(filter, in: FilterFixtures.user, profile: .interop).words == #"displayName eq "x""#)
    #expect(throws: SCIMError.self) { try memory.resolve(filter, in: FilterFixtures.user, profile: .strict) }
    #expect(throws: SCIMError.self) { try memory.resolve(filter, in: FilterFixtures.widget, profile: .interop) }
    #expect(memory.count == 1)
  }
}
