import Testing

@testable import roster

@Suite struct ServeConfigurationTests {
  @Test(
    arguments: [
      ("localhost", true), ("127.0.0.1", true), ("127.8.9.10", true), ("::1", true), ("[::1]", true),
      ("0.0.0.0", false), ("::", false), ("10.0.0.1", false), ("127.0.0.1.example", false), ("127.0.0", false),
      ("127.0.0.256", false), ("", false),
    ])
  func loopback(_ host: String, _ expected: Bool) {
    #expect(ServeConfiguration.isLoopback(host) == expected)
  }

  @Test(
    arguments: [
      ("https://scim.example/scim/v2", "https://scim.example/scim/v2"),
      ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"), ("https://x//", "https://x"), ("ftp://x", nil), ("x", nil),
      ("https://", nil), ("https:///a", nil), ("https://x?y", nil), ("https://x#y", nil), ("https://u:p@x", nil),
      ("https://a b", nil), ("", nil),
    ] as [(String, String?)])
  func baseURL(_ text: String, _ expected: String?) {
    #expect(ServeConfiguration.checkedBaseURL(text) == expected)
  }

  @Test(
    arguments: [
      ([:], nil), (["ROSTER_HOST": "127.0.0.2"], nil), (["ROSTER_BASE_URL": "http://LOCALHOST:8080/scim/v2"], nil),
      (["ROSTER_BASE_URL": "http://[::1]:80/"], nil), (["ROSTER_HOST": "::"], "--host ::"),
      (["ROSTER_BASE_URL": "https://localhost.example/a"], "--base-url https://localhost.example/a"),
      (["ROSTER_TRUST_PROXY": "1"], "--trust-proxy"),
    ] as [([String: String], String?)])
  func exposure(_ environment: [String: String], _ expected: String?) throws {
    #expect(try Self.configuration(environment).exposure == expected)
  }

  @Test func exchangesAreShownOnlyWhereNobodyElseCanReachTheAddress() throws {
    #expect(try Self.configuration([:]).isTraced == false)
    #expect(try Self.configuration(["ROSTER_TRACE": "1", "ROSTER_BASE_URL": "https://x/scim/v2"]).isTraced)
    #expect(throws: UsageError.self) { try Self.configuration(["ROSTER_TRACE": "1", "ROSTER_HOST": "0.0.0.0"]) }
  }

  @Test func aSmallMaximumIsTheSizeOfAPageAsWell() throws {
    let configuration = try Self.configuration(["ROSTER_MAX_PAGE_SIZE": "50"])
    #expect(configuration.pageSize == 50 && configuration.maxPageSize == 50)
    #expect(throws: UsageError.self) {
      try Self.configuration(["ROSTER_MAX_PAGE_SIZE": "50", "ROSTER_PAGE_SIZE": "51"])
    }
  }

  @Test func aManualsAddressIsTakenWithItsQueryAndRefusedWhereItIsNone() throws {
    let configuration = try Self.configuration(["ROSTER_DOCUMENTATION_URI": "https://x/manual?page=1#top"])
    #expect(configuration.documentationURI == "https://x/manual?page=1#top")
    #expect(throws: UsageError.self) { try Self.configuration(["ROSTER_DOCUMENTATION_URI": "manual"]) }
  }

  @Test func aBaseURLWithoutAPathIsRefusedWithTheTwoThatAreMeant() {
    let error = #expect(throws: UsageError.self) { try Self.configuration(["ROSTER_BASE_URL": "https://x"]) }
    #expect(error?.message.contains("pass https://x/scim/v2.") == true)
    #expect(error?.message.contains("pass https://x/.") == true)
  }

  @Test(
    arguments: [
      (nil, 64 << 20), (.max, 64 << 20), (4 << 30, 64 << 20), ((4 << 30) - 64, (64 << 20) - 1), (1 << 30, 16 << 20),
      ((256 << 20) + 64, (4 << 20) + 1), (256 << 20, 4 << 20), (1 << 20, 4 << 20),
    ] as [(UInt64?, Int)])
  func bodiesHaveNoMoreThanA64thOfTheAddressSpace(_ space: UInt64?, _ bytes: Int) {
    #expect(ServeConfiguration.bodyMemory(asked: 64 << 20, addressSpace: space) == bytes)
    #expect(ServeConfiguration.bodyMemory(asked: 4 << 20, addressSpace: space) == 4 << 20)
  }

  /// Each setting that is a number, with the least and the most that it takes.
  @Test(
    arguments: [
      ("PORT", 0, 65535), ("THREADS", 1, 1024), ("MAX_CONNECTIONS", 1, 1_000_000),
      ("MAX_CONNECTIONS_PER_ADDRESS", 1, 1_000_000), ("UNREAD_MEMORY", 4, 1_000_000), ("BODY_MEMORY", 4, 1_000_000),
      ("MAX_PAGE_SIZE", 1, 10_000), ("PAGE_SIZE", 1, 1000), ("RATE_LIMIT", 25, 1_000_000),
      ("WRITES_PER_COMMIT", 1, 1024), ("QUERY_TIMEOUT", 0, 3_600_000), ("HEAD_TIMEOUT", 1, 86_400),
      ("BODY_TIMEOUT", 1, 86_400), ("WRITE_TIMEOUT", 1, 86_400), ("IDLE_TIMEOUT", 1, 86_400),
      ("DRAIN_TIMEOUT", 1, 86_400),
    ])
  func numbersHaveALeastAndAMost(_ name: String, _ least: Int, _ most: Int) throws {
    for value in [least, most] { _ = try Self.configuration(["ROSTER_\(name)": "\(value)"]) }
    for value in [least - 1, most + 1] {
      #expect(throws: UsageError.self) { try Self.configuration(["ROSTER_\(name)": "\(value)"]) }
    }
  }

  static func configuration(_ environment: [String: String]) throws -> ServeConfiguration {
    let root = Command(name: "roster", summary: "", commands: [ServeCommand.command])
    guard case .run(_, let invocation) = try ArgumentParser(root: root, environment: environment).parse(["serve"])
    else { throw UsageError(message: "not a command") }
    return try ServeConfiguration(invocation)
  }

  @Test func everySettingHasAVariable() throws {
    let configuration = try Self.configuration([
      "ROSTER_DB": "d.db", "ROSTER_HOST": "::1", "ROSTER_PORT": "1", "ROSTER_THREADS": "3",
      "ROSTER_BASE_URL": "https://x/", "ROSTER_TRUST_PROXY": "1", "ROSTER_PAGE_SIZE": "5",
      "ROSTER_MAX_PAGE_SIZE": "6", "ROSTER_MAX_CONNECTIONS": "7", "ROSTER_MAX_CONNECTIONS_PER_ADDRESS": "8",
      "ROSTER_RATE_LIMIT": "50", "ROSTER_HEAD_TIMEOUT": "9", "ROSTER_BODY_TIMEOUT": "10", "ROSTER_WRITE_TIMEOUT": "11",
      "ROSTER_IDLE_TIMEOUT": "12", "ROSTER_DRAIN_TIMEOUT": "13", "ROSTER_QUERY_TIMEOUT": "14", "ROSTER_LOG": "json",
      "ROSTER_TRACE": "1", "ROSTER_ALLOW_DEMO_KEY": "true",
    ])
    #expect(configuration.database == "d.db")
    #expect(configuration.server.host == "::1")
    #expect(configuration.server.port == 1)
    #expect(configuration.server.threads == 3)
    #expect(configuration.baseURL == "https://x")
    #expect(configuration.trustsProxy)
    #expect(configuration.pageSize == 5)
    #expect(configuration.maxPageSize == 6)
    #expect(configuration.server.maxConnections == 7)
    #expect(configuration.server.maxConnectionsPerClient == 8)
    #expect(configuration.rateLimit == 50)
    #expect(configuration.server.headDeadline == 9000)
    #expect(configuration.server.bodyDeadline == 10_000)
    #expect(configuration.server.writeDeadline == 11_000)
    #expect(configuration.server.idleDeadline == 12_000)
    #expect(configuration.server.drainDeadline == 11_000)
    #expect(configuration.queryTimeout == 14)
    #expect(configuration.logFormat == .json)
    #expect(configuration.allowsDemoKeys && configuration.isTraced)
    #expect(ServeConfiguration.options.allSatisfy { $0.variable != nil })
  }

  @Test(
    "A part of the time for stopping is kept for what is not finished by then",
    arguments: [
      (1000, 750), (8000, 6000), (10_000, 8000), (60_000, 58_000),
    ])
  func finishing(total: Int, requests: Int) {
    #expect(ServeConfiguration.finishing(within: total) == requests)
  }
}
