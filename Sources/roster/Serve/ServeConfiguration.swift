import Foundation
import HTTPServer
import SCIMCore

/// What `roster serve` is told, checked.
struct ServeConfiguration {
  var server = ServerConfiguration()
  var database = ""
  /// Without a slash at its end; nil derives it from each request.
  var baseURL: String?
  /// The address of a manual, for clients to show; nil shows none.
  var documentationURI: String?
  var trustsProxy = false
  var pageSize = 100
  var maxPageSize = 1000
  var rateLimit: Int?
  var writesPerCommit = 64
  /// In milliseconds; 0 sets no limit.
  var queryTimeout = 5000
  var logFormat: RequestLog.Format?
  /// Whether whole exchanges are shown; only where nothing but this machine can reach the address.
  var isTraced = false
  var allowsDemoKeys = false

  static let options: [Option] = [
    .database,
    .value("host", "ADDRESS", "The address to listen on.", default: "127.0.0.1", variable: true),
    .value("port", "N", "The port to listen on; 0 takes a free one.", default: "8080", variable: true),
    .value("threads", "N", "Threads that answer requests; one for each core if not given.", variable: true),
    .value(
      "base-url", "URL",
      "The address of SCIM as clients use it, with its path, for example https://scim.example/scim/v2. All URIs in"
        + " answers begin with it. If not given they follow the Host of each request.", variable: true),
    .flag(
      "trust-proxy",
      "Use X-Forwarded-* fields. Only safe if a proxy that sets them is the only way to reach the server.",
      variable: true),
    .value(
      "documentation-uri", "URL", "The address of a manual, which ServiceProviderConfig shows. None if not given.",
      variable: true),
    .schemas,
    .value(
      "page-size", "N", "Resources on a page if the client gives no count; 100, or --max-page-size if that is less.",
      variable: true),
    .value("max-page-size", "N", "The most resources on a page.", default: "1000", variable: true),
    .value("max-connections", "N", "Connections at one time, in all.", default: "4096", variable: true),
    .value(
      "max-connections-per-address", "N", "Connections at one time from one address.", default: "1024", variable: true),
    .value(
      "rate-limit", "N", "Requests a second of one organisation, at least 25; above it 429. No limit if not given.",
      variable: true),
    .value(
      "writes-per-commit", "N",
      "Waiting writes that share a commit, at most, each operation of a Bulk request counted; 1 commits each by itself.",
      default: "64", variable: true),
    .value(
      "query-timeout", "MS", "For a search, in milliseconds; above it 400 tooMany. 0 sets no limit.", default: "5000",
      variable: true),
    .value(
      "unread-memory", "MB", "For answers that clients have not read yet, in all; one organisation, a third of it.",
      default: "96", variable: true),
    .value(
      "body-memory", "MB", "For request bodies under way, in all; one organisation, a third of it. Above it 503.",
      default: "64", variable: true),
    .value("head-timeout", "SECONDS", "For a request's head to arrive.", default: "15", variable: true),
    .value("body-timeout", "SECONDS", "For a request's body to arrive.", default: "40", variable: true),
    .value("write-timeout", "SECONDS", "For a client to read an answer.", default: "30", variable: true),
    .value("idle-timeout", "SECONDS", "Until a connection without requests is closed.", default: "75", variable: true),
    .value(
      "drain-timeout", "SECONDS", "From the signal that stops the server to its end.", default: "10",
      variable: true),
    .value(
      "log", "FORMAT",
      "Write a line for each request to stderr: logfmt or json. Holds no secrets, queries or names of people.",
      variable: true),
    .flag(
      "trace",
      "Write each request and answer whole to stderr, with keys and passwords masked. Shows names and addresses of people:"
        + " for development, on a loopback --host only.", variable: true),
    .flag(
      "allow-demo-key",
      "Accept the well-known keys of the demo organisations although other machines can reach the server.",
      variable: true),
  ]

  init(_ invocation: Invocation) throws(UsageError) {
    database = try invocation.required("db")
    server.host = try invocation.required("host")
    server.port = try invocation.integer("port", in: 0...65535) ?? 8080
    server.threads = try invocation.integer("threads", in: 1...1024) ?? ProcessInfo.processInfo.activeProcessorCount
    server.maxConnections = try invocation.integer("max-connections", in: 1...1_000_000) ?? 4096
    server.maxConnectionsPerClient =
      try invocation.integer("max-connections-per-address", in: 1...1_000_000) ?? 1024
    server.headDeadline = try Self.milliseconds("head-timeout", invocation)
    server.bodyDeadline = try Self.milliseconds("body-timeout", invocation)
    server.writeDeadline = try Self.milliseconds("write-timeout", invocation)
    server.idleDeadline = try Self.milliseconds("idle-timeout", invocation)
    server.drainDeadline = Self.finishing(within: try Self.milliseconds("drain-timeout", invocation))
    server.unsent = ByteLedger(limit: (try invocation.integer("unread-memory", in: 4...1_000_000) ?? 96) << 20)
    server.maxBodyBytes = Self.bodyMemory(
      asked: (try invocation.integer("body-memory", in: 4...1_000_000) ?? 64) << 20,
      addressSpace: ProcessMemory.addressSpaceLimit)
    maxPageSize = try invocation.integer("max-page-size", in: 1...10_000) ?? 1000
    pageSize = try invocation.integer("page-size", in: 1...maxPageSize) ?? min(100, maxPageSize)
    baseURL = try invocation.text("base-url").map { (text) throws(UsageError) in
      let label = invocation.label("base-url")
      guard let url = Self.checkedBaseURL(text) else {
        throw UsageError(message: "\(label) must be an http or https URL without query, not '\(text)'")
      }
      guard Self.hasPath(text) else {
        throw UsageError(
          message: """
            \(label) '\(text)' has no path. The SCIM endpoints are under /scim/v2: pass \(url)/scim/v2.
            If a proxy maps them to the root of the host, pass \(url)/.
            """)
      }
      return url
    }
    documentationURI = try invocation.text("documentation-uri").map { (text) throws(UsageError) in
      guard Self.checkedBaseURL(text.prefix { $0 != "?" && $0 != "#" }.description) != nil else {
        throw UsageError(
          message: "\(invocation.label("documentation-uri")) must be an http or https URL, not '\(text)'")
      }
      return text
    }
    rateLimit = try invocation.integer("rate-limit", in: 25...1_000_000)
    writesPerCommit = try invocation.integer("writes-per-commit", in: 1...1024) ?? 64
    queryTimeout = try invocation.integer("query-timeout", in: 0...3_600_000) ?? 5000
    trustsProxy = invocation.flag("trust-proxy")
    logFormat = try invocation.choice("log", of: RequestLog.Format.self)
    allowsDemoKeys = invocation.flag("allow-demo-key")
    isTraced = invocation.flag("trace")
    guard !isTraced || Self.isLoopback(server.host) else {
      throw UsageError(message: "--trace shows names and addresses of people, and requires a loopback --host")
    }
  }

  /// How many bytes of bodies may be under way: no more than a 64th of the address space, since a body can take some thirty
  /// times its bytes while it is worked on, but 4 MiB in any case.
  static func bodyMemory(asked: Int, addressSpace: UInt64?) -> Int {
    guard let addressSpace else { return asked }
    return min(asked, max(4 << 20, Int(clamping: addressSpace / 64)))
  }

  private static func milliseconds(_ name: String, _ invocation: Invocation) throws(UsageError) -> Int {
    (try invocation.integer(name, in: 1...86_400) ?? 1) * 1000
  }

  /// How much of the time until a stopping server has ended its requests have: what they leave is for refusing what is
  /// not finished, and for closing the store, in milliseconds.
  static func finishing(within total: Int) -> Int { total - min(2000, total / 4) }

  /// The URL without slashes at its end; nil where it cannot be a base.
  static func checkedBaseURL(_ text: String) -> String? {
    let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"?#\"<>\\^`{|}".utf8.contains($0) }
    guard isPlain, let scheme = ["http://", "https://"].first(where: text.hasPrefix) else { return nil }
    var url = text
    while url.hasSuffix("/") { url.removeLast() }
    let rest = url.dropFirst(scheme.count)
    guard let first = rest.first, first != "/", !rest.prefix(while: { $0 != "/" }).contains("@") else { return nil }
    return url
  }

  /// Whether something follows the host, if only a slash.
  private static func hasPath(_ url: String) -> Bool {
    url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).count > 3
  }

  /// The setting by which other machines can reach the server; nil where only this machine can.
  ///
  /// A proxy or a tunnel on this machine makes a loopback address public. What tells of one is the address that clients
  /// are given, or that its header fields are believed.
  var exposure: String? {
    if !Self.isLoopback(server.host) { return "--host \(server.host)" }
    if let baseURL, !Self.isLoopback(Self.host(of: baseURL)) { return "--base-url \(baseURL)" }
    return trustsProxy ? "--trust-proxy" : nil
  }

  /// The host of a checked URL, brackets of an IPv6 address included, in lower case.
  static func host(of url: String) -> String {
    let authority = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).dropFirst(2).first ?? ""
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
      return authority[...end].lowercased()
    }
    return authority.prefix { $0 != ":" }.lowercased()
  }

  /// True where only this machine can reach the address.
  static func isLoopback(_ host: String) -> Bool {
    if ["localhost", "::1", "[::1]"].contains(host) { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
