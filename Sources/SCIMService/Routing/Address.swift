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
    guard let rest = Self.strip(Self.basePath, from: path) ?? prefix.flatMap({ Self.strip($0, from: path) }) else {
      return nil
    }
    var segments: [String] = []
    for piece in rest.split(separator: "/", omittingEmptySubsequences: true) {
      guard let segment = PercentEncoding.decode(piece, plusIsBlank: false) else { return nil }
      segments.append(segment)
    }
    self.segments = segments
  }

  private static func strip(_ prefix: String, from path: String) -> Substring? {
    guard path.utf8.starts(with: prefix.utf8) else { return nil }
    let rest = path.utf8.dropFirst(prefix.utf8.count)
    guard let first = rest.first else { return Substring(rest) }
    return first == UInt8(ascii: "/") ? Substring(rest) : nil
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
