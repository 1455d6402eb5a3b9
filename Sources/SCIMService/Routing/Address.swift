import SCIMCore

/// A request path cut into decoded segments below the base path.
struct Address {
  /// The segments behind `/scim/v2`, decoded; empty ones (doubled and trailing slashes) are dropped.
  let segments: [String]

  /// The path under which the service answers, wherever a proxy puts it.
  static let basePath = "/scim/v2"

  /// Cuts a raw path; nil where it lies outside the base path or a segment cannot be decoded.
  ///
  /// - Parameter prefix: the path of `--base-url`, under which the service answers as well.
  init?(path: String, prefix: String?) {
    var path = path
    let found: [String]? = path.withUTF8 { bytes in
      let start = Self.start(Self.basePath, bytes) ?? prefix.flatMap { Self.start($0, bytes) }
      return start.flatMap { Self.segments(bytes, from: $0) }
    }
    guard let found else { return nil }
    segments = found
  }

  /// What a request for a path outside of the base path is refused with: `invalidVers` where it asks for another version
  /// of SCIM (RFC 7644 section 3.13), else `notFound`.
  ///
  /// - Parameter prefix: the path of `--base-url`; nil where there is none.
  static func refusal(of path: String, prefix: String?) -> SCIMError {
    let start = "/scim/v"
    let version = path.hasPrefix(start) ? path.dropFirst(start.count).prefix { $0 != "/" } : ""
    let isVersion = !version.isEmpty && version.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
    let base = prefix ?? basePath
    guard isVersion, version != "2" else {
      return SCIMError(.notFound, "There is no such endpoint. SCIM is at \(base), for example \(base)/Users.")
    }
    return SCIMError(.invalidVers, "This server supports only version 2 of SCIM, at \(basePath).")
  }

  /// Where the path goes on behind a prefix; nil where it does not begin with it.
  private static func start(_ prefix: String, _ path: UnsafeBufferPointer<UInt8>) -> Int? {
    var at = 0
    for byte in prefix.utf8 {
      guard at < path.count, path[at] == byte else { return nil }
      at += 1
    }
    return at == path.count || path[at] == UInt8(ascii: "/") ? at : nil
  }

  /// The decoded pieces between slashes; nil where one cannot be decoded.
  private static func segments(_ path: UnsafeBufferPointer<UInt8>, from start: Int) -> [String]? {
    var segments: [String] = []
    segments.reserveCapacity(2)
    var at = start
    while at < path.count {
      if path[at] == UInt8(ascii: "/") {
        at += 1
        continue
      }
      let begin = at
      var isEncoded = false
      while at < path.count, path[at] != UInt8(ascii: "/") {
        isEncoded = isEncoded || path[at] == UInt8(ascii: "%")
        at += 1
      }
      let piece = UnsafeBufferPointer(rebasing: path[begin..<at])
      let segment =
        isEncoded ? PercentEncoding.decode(piece, plusIsBlank: false) : String(decoding: piece, as: UTF8.self)
      guard let segment else { return nil }
      segments.append(segment)
    }
    return segments
  }

  /// The route that the segments name in an organisation's registry; nil where there is none.
  ///
  /// - Parameter lenient: true where endpoint names match in any letter case.
  func route(in registry: SchemaRegistry, lenient: Bool) -> Route? {
    switch segments.count {
    case 0: return .root
    case 1:
      if let type = registry.type(at: "/" + segments[0], ignoringCase: lenient) { return .collection(type) }
      return Self.fixed(segments[0], lenient: lenient)
    case 2:
      if let type = registry.type(at: "/" + segments[0], ignoringCase: lenient) {
        return segments[1] == ".search" ? .collectionSearch(type) : .resource(type, id: segments[1])
      }
      switch Self.fixed(segments[0], lenient: lenient) {
      case .schemas: return .schema(id: segments[1])
      case .resourceTypes: return .resourceType(name: segments[1])
      default: return nil
      }
    default: return nil
    }
  }

  /// True where the address is that of the one document that needs no key.
  func isServiceProviderConfig(lenient: Bool) -> Bool {
    guard segments.count == 1, case .serviceProviderConfig? = Self.fixed(segments[0], lenient: lenient) else {
      return false
    }
    return true
  }

  private static let fixedNames: [(name: String, route: Route)] = [
    (".search", .rootSearch), ("Schemas", .schemas), ("ResourceTypes", .resourceTypes),
    ("ServiceProviderConfig", .serviceProviderConfig), ("Bulk", .bulk), ("Me", .me),
  ]

  private static func fixed(_ name: String, lenient: Bool) -> Route? {
    for entry in fixedNames where entry.name == name || (lenient && ASCII.equalIgnoringCase(entry.name, name)) {
      return entry.route
    }
    return nil
  }
}
