/// Finds the shortest part of a failing sequence that it can find to fail as well (delta debugging), and makes the
/// operations themselves shorter.
///
/// What it may cost is counted in operations that are done again, so that it ends soon however long the sequence is.
struct ModelShrinker {
  /// What a new database costs, in operations.
  private static let start = 40

  /// Tells whether a sequence fails.
  let fails: ([Operation]) -> Bool
  /// How many operations may still be done.
  private(set) var allowance: Int

  init(allowance: Int, fails: @escaping ([Operation]) -> Bool) {
    self.allowance = allowance
    self.fails = fails
  }

  /// What is left of a sequence that fails at its end; the sequence itself where nothing shorter was found to fail.
  mutating func shrink(_ operations: [Operation]) -> [Operation] {
    var operations = without(end(of: operations))
    var isShorter = true
    while isShorter {
      isShorter = false
      for index in operations.indices.reversed() where index < operations.count {
        for simpler in operations[index].simpler {
          var changed = operations
          changed[index] = simpler
          if let failing = failing(changed) {
            operations = failing
            isShorter = true
            break
          }
        }
      }
      if isShorter { operations = without(operations) }
    }
    return operations
  }

  /// What is done of a sequence, if it fails; nil if it does not, or may not be tried any more.
  private mutating func failing(_ operations: [Operation]) -> [Operation]? {
    let clear = Model.clear(operations)
    guard !clear.isEmpty, clear.count + Self.start <= allowance else { return nil }
    allowance -= clear.count + Self.start
    return fails(clear) ? clear : nil
  }

  /// The shortest end that fails: few resources live long, so that little of a long sequence matters.
  private mutating func end(of operations: [Operation]) -> [Operation] {
    var length = 32
    while length < operations.count {
      if let failing = failing(operations.suffix(length)) { return failing }
      length *= 2
    }
    return operations
  }

  /// Leaves out stretches, long ones first.
  private mutating func without(_ operations: [Operation]) -> [Operation] {
    var operations = operations
    var length = operations.count / 2
    while length > 0 {
      var start = operations.count - length
      var isShorter = false
      while start >= 0 {
        var changed = operations
        changed.removeSubrange(start..<min(start + length, changed.count))
        if let failing = failing(changed) {
          operations = failing
          isShorter = true
        }
        start = min(start, operations.count) - length
      }
      if length > 1 || !isShorter { length /= 2 }
    }
    return operations
  }
}

extension Model {
  /// A sequence without what the pages leave open once other operations are left out.
  static func clear(_ operations: [Operation]) -> [Operation] {
    var model = Model()
    return operations.filter { operation in
      var changed = model
      _ = changed.apply(operation)
      guard !changed.isOpen else { return false }
      model = changed
      return true
    }
  }
}

extension Operation {
  /// Operations that do less.
  var simpler: [Operation] {
    switch self {
    case .bulk(let operations, let failOnErrors):
      return (operations.count == 1 ? operations : []) + leavingOneOut(operations).map { .bulk($0, failOnErrors: nil) }
        + leavingOneOut(operations).map { .bulk($0, failOnErrors: failOnErrors) }
        + operations.indices.flatMap { index in
          operations[index].simpler.map { simpler in
            var changed = operations
            changed[index] = simpler
            return .bulk(changed, failOnErrors: failOnErrors)
          }
        }
    case .patch(let place, let changes):
      return leavingOneOut(changes).map { .patch(place, $0) }
        + changes.indices.flatMap { index in
          changes[index].simpler.map { simpler in
            var changed = changes
            changed[index] = simpler
            return .patch(place, changed)
          }
        }
    case .create(let place, let content): return content.simpler.map { .create(place, $0) }
    case .replace(let place, let content): return content.simpler.map { .replace(place, $0) }
    default: return []
    }
  }

  private func leavingOneOut<Element>(_ list: [Element]) -> [[Element]] {
    guard list.count > 1 else { return [] }
    return list.indices.map { index in
      var shorter = list
      shorter.remove(at: index)
      return shorter
    }
  }
}

extension Change {
  var simpler: [Change] {
    func shorter<Element>(_ list: [Element]) -> [[Element]] {
      guard list.count > 1 else { return [] }
      return list.indices.map { index in list.indices.filter { $0 != index }.map { list[$0] } }
    }
    return switch self {
    case .assign(let verb, let attribute, let sent, let hasPath):
      shorter(sent).map { .assign(verb, attribute, $0, hasPath: hasPath) }
    case .take(let attribute, let sent): shorter(sent).map { .take(attribute, $0) }
    case .members(let verb, let numbers, let hasPath): shorter(numbers).map { .members(verb, $0, hasPath: hasPath) }
    case .takeMembers(let numbers): shorter(numbers).map { .takeMembers($0) }
    case .words(let verb, let side, let words): shorter(words).map { .words(verb, side, $0) }
    default: []
    }
  }
}

extension Content {
  /// Each with one thing left out.
  var simpler: [Content] {
    var all: [Content] = []
    func add(_ change: (inout Content) -> Void) {
      var changed = self
      change(&changed)
      all.append(changed)
    }
    for attribute in Attribute.allCases {
      guard let sent = held[attribute] else { continue }
      add { $0.held[attribute] = nil }
      for index in sent.indices where sent.count > 1 { add { $0.held[attribute]?.remove(at: index) } }
    }
    if isActive != nil { add { $0.isActive = nil } }
    for index in members.indices { add { $0.members.remove(at: index) } }
    if settings != Settings() { add { $0.settings = Settings() } }
    if settings.value != nil { add { $0.settings.value = nil } }
    if settings.isSupported != nil { add { $0.settings.isSupported = nil } }
    if settings.isLimited != nil { add { $0.settings.isLimited = nil } }
    if settings.permitted != nil { add { $0.settings.permitted = nil } }
    for side in Side.allCases {
      for index in settings[side].indices { add { $0.settings[side].remove(at: index) } }
    }
    return all
  }
}
