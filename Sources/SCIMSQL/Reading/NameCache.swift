import SCIMCore

/// The numbers of types and attributes that one connection has met. They never change once committed.
///
/// What a transaction learns is kept apart until its COMMIT: a number that it has given may be taken back by a rollback
/// of any kind, and then belongs to the next name that is stored.
struct NameCache {
  private struct Names {
    var typeNumbers: [String: Int64] = [:]
    var typeNames: [Int64: String] = [:]
    var attributes: [Int64: [String: Int64]] = [:]
    /// Each keeps its type, so that no other type can come to its place in memory.
    var plans: [ObjectIdentifier: TypePlan] = [:]
    /// By the place in `ResourceType.indexedLeaves`, for each type as it was met last.
    var leaves: [Int64: (type: ResourceType, numbers: [Int64])] = [:]
  }

  private var committed = Names()
  private var learnt = Names()
  private var hasLearnt = false
  /// True where what is met may be taken back: in a transaction that writes.
  let isTentative: Bool
  /// Organisations change their own types: beyond this many, plans of those that no longer exist are forgotten with all.
  private static let maximumPlans = 1024

  init(isTentative: Bool = false) { self.isTentative = isTentative }

  /// What was learnt since the last commit or rollback has been committed.
  mutating func commit() {
    guard hasLearnt else { return }
    committed.typeNumbers.merge(learnt.typeNumbers) { _, new in new }
    committed.typeNames.merge(learnt.typeNames) { _, new in new }
    for (type, paths) in learnt.attributes {
      committed.attributes[type, default: [:]].merge(paths) { _, new in new }
    }
    for (key, plan) in learnt.plans { Self.add(plan, key, to: &committed) }
    for (number, leaves) in learnt.leaves {
      for (leaf, attribute) in leaves.numbers.enumerated() where attribute != SQLReader.unknown {
        Self.add(attribute, leaf: leaf, of: leaves.type, number: number, to: &committed)
      }
    }
    rollBack()
  }

  /// Forgets all that was learnt since the last commit, also what a savepoint had before: it is read again where it holds.
  mutating func rollBack() {
    guard hasLearnt else { return }
    learnt = Names()
    hasLearnt = false
  }

  // MARK: Looking up

  func number(ofType name: String) -> Int64? {
    committed.typeNumbers[name] ?? (hasLearnt ? learnt.typeNumbers[name] : nil)
  }

  func name(ofType number: Int64) -> String? {
    committed.typeNames[number] ?? (hasLearnt ? learnt.typeNames[number] : nil)
  }

  func number(ofAttribute path: String, type: Int64) -> Int64? {
    committed.attributes[type]?[path] ?? (hasLearnt ? learnt.attributes[type]?[path] : nil)
  }

  func plan(for type: ResourceType) -> TypePlan? {
    committed.plans[ObjectIdentifier(type)] ?? (hasLearnt ? learnt.plans[ObjectIdentifier(type)] : nil)
  }

  /// The number of the leaf at that place of a type's `indexedLeaves`.
  func number(ofLeaf leaf: Int, of type: ResourceType, number: Int64) -> Int64? {
    if let known = committed.leaves[number], known.type === type, known.numbers[leaf] != SQLReader.unknown {
      return known.numbers[leaf]
    }
    guard hasLearnt, let known = learnt.leaves[number], known.type === type,
      known.numbers[leaf] != SQLReader.unknown
    else { return nil }
    return known.numbers[leaf]
  }

  // MARK: Learning

  mutating func add(type: String, number: Int64) {
    learn {
      $0.typeNumbers[type] = number
      $0.typeNames[number] = type
    }
  }

  mutating func add(attribute path: String, type: Int64, number: Int64) {
    learn { $0.attributes[type, default: [:]][path] = number }
  }

  mutating func add(_ plan: TypePlan) {
    learn { Self.add(plan, ObjectIdentifier(plan.type), to: &$0) }
  }

  mutating func add(_ attribute: Int64, leaf: Int, of type: ResourceType, number: Int64) {
    learn { Self.add(attribute, leaf: leaf, of: type, number: number, to: &$0) }
  }

  private mutating func learn(_ change: (inout Names) -> Void) {
    if isTentative {
      hasLearnt = true
      change(&learnt)
    } else {
      change(&committed)
    }
  }

  private static func add(_ plan: TypePlan, _ key: ObjectIdentifier, to names: inout Names) {
    if names.plans.count >= maximumPlans { names.plans.removeAll() }
    names.plans[key] = plan
  }

  private static func add(
    _ attribute: Int64, leaf: Int, of type: ResourceType, number: Int64, to names: inout Names
  ) {
    if names.leaves[number]?.type !== type {
      names.leaves[number] = (type, [Int64](repeating: SQLReader.unknown, count: type.indexedLeaves.count))
    }
    names.leaves[number]?.numbers[leaf] = attribute
  }
}

extension SQLReader {
  /// A number that no type and no attribute has: what is unknown matches nothing.
  static let unknown: Int64 = -1

  /// The number of a type; `unknown` where nothing of it has ever been stored.
  func number(ofType name: String) throws(SCIMError) -> Int64 {
    if let known = names.number(ofType: name) { return known }
    let statement = try statements.get(.typeNumber)
    statement.bind(name, at: 1)
    guard let number = try statement.first({ $0.integer(0) }) else { return Self.unknown }
    names.add(type: name, number: number)
    return number
  }

  func name(ofType number: Int64) throws(SCIMError) -> String {
    if let known = names.name(ofType: number) { return known }
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
    if let known = names.number(ofAttribute: path, type: type) { return known }
    let statement = try statements.get(.attributeNumber)
    statement.bind(type, at: 1)
    statement.bind(path, at: 2)
    guard let number = try statement.first({ $0.integer(0) }) else { return Self.unknown }
    names.add(attribute: path, type: type, number: number)
    return number
  }
}
