import SCIMCore

/// The numbers of types and attributes that one connection has met. They never change once committed.
struct NameCache {
  var typeNumbers: [String: Int64] = [:]
  var typeNames: [Int64: String] = [:]
  var attributes: [Int64: [String: Int64]] = [:]
  /// Each keeps its type, so that no other type can come to its place in memory.
  var plans: [ObjectIdentifier: TypePlan] = [:]
  /// By the place in `ResourceType.indexedLeaves`, for each type as it was met last.
  var leaves: [Int64: (type: ResourceType, numbers: [Int64])] = [:]

  mutating func add(type: String, number: Int64) {
    typeNumbers[type] = number
    typeNames[number] = type
  }
}

extension SQLReader {
  /// A number that no type and no attribute has: what is unknown matches nothing.
  static let unknown: Int64 = -1

  /// The number of a type; `unknown` where nothing of it has ever been stored.
  func number(ofType name: String) throws(SCIMError) -> Int64 {
    if let known = names.typeNumbers[name] { return known }
    let statement = try statements.get(.typeNumber)
    statement.bind(name, at: 1)
    guard let number = try statement.first({ $0.integer(0) }) else { return Self.unknown }
    names.add(type: name, number: number)
    return number
  }

  func name(ofType number: Int64) throws(SCIMError) -> String {
    if let known = names.typeNames[number] { return known }
    let statement = try statements.get(.typeName)
    statement.bind(number, at: 1)
    guard let name = try statement.first({ $0.text(0) }) else {
      throw SCIMError(.internalError, "database: a resource has an unknown type")
    }
    names.add(type: name, number: number)
    return name
  }

  /// The number of an attribute of a type; `unknown` where no value of it has ever been stored.
  func number(ofAttribute path: String, type: Int64) throws(SCIMError) -> Int64 {
    if let known = names.attributes[type]?[path] { return known }
    let statement = try statements.get(.attributeNumber)
    statement.bind(type, at: 1)
    statement.bind(path, at: 2)
    guard let number = try statement.first({ $0.integer(0) }) else { return Self.unknown }
    names.attributes[type, default: [:]][path] = number
    return number
  }
}
