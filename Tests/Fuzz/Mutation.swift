import SCIMCore

/// Changes of an input at random.
enum Mutation {
  /// Some bytes changed, doubled, cut, swapped, or replaced by a piece of the grammar or of another input.
  static func bytes(_ bytes: [UInt8], with others: [[UInt8]], _ random: inout FuzzRandom) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<random.below(4) {
      let index = bytes.isEmpty ? 0 : random.below(bytes.count)
      let end = min(bytes.count, index + 1 + random.below(12))
      switch random.below(8) {
      case 0 where !bytes.isEmpty: bytes[index] = UInt8(truncatingIfNeeded: random.next())
      case 1 where !bytes.isEmpty: bytes[index] ^= 1 << UInt8(random.below(8))
      case 2: bytes.removeSubrange(index..<end)
      case 3: bytes.insert(contentsOf: Array(bytes[index..<end]), at: index)
      case 4: bytes.insert(contentsOf: Array(random.pick(RandomSyntax.words).utf8), at: index)
      case 5:
        let other = random.pick(others)
        let start = other.isEmpty ? 0 : random.below(other.count)
        bytes.replaceSubrange(index..<end, with: other[start..<min(other.count, start + random.below(24))])
      case 6:
        let piece = Array(bytes[index..<end])
        for _ in 0..<random.below(40) { bytes.insert(contentsOf: piece, at: index) }
      default: if bytes.count > 1 { bytes.swapAt(index, random.below(bytes.count)) }
      }
    }
    return bytes
  }

  /// A value with parts replaced, renamed, dropped, doubled or wrapped.
  static func value(_ value: JSON, corpus: FuzzCorpus, _ random: inout FuzzRandom) -> JSON {
    if random.below(6) == 0 { return replacement(of: value, corpus: corpus, &random) }
    switch value {
    case .array(var elements):
      guard !elements.isEmpty else { return replacement(of: value, corpus: corpus, &random) }
      let index = random.below(elements.count)
      switch random.below(8) {
      case 0: elements.remove(at: index)
      case 1: elements.append(elements[index])
      case 2: elements.swapAt(index, random.below(elements.count))
      case 3: elements.append(random.pick(corpus.values))
      default: elements[index] = Self.value(elements[index], corpus: corpus, &random)
      }
      return .array(elements)
    case .object(let object):
      guard !object.members.isEmpty else { return replacement(of: value, corpus: corpus, &random) }
      var members = object.members
      let index = random.below(members.count)
      switch random.below(8) {
      case 0: members.remove(at: index)
      case 1: members[index].key = name(&random)
      case 2: members.append(.init(key: name(&random), value: random.pick(corpus.values)))
      default: members[index].value = Self.value(members[index].value, corpus: corpus, &random)
      }
      // A name twice is what the parser refuses; the value itself never holds one.
      var seen: Set<String> = []
      return .object(JSONObject(members.filter { seen.insert($0.key.lowercased()).inserted }))
    case .string(let text) where random.below(2) == 0:
      return .string(String(decoding: bytes(Array(text.utf8), with: corpus.paths, &random), as: UTF8.self))
    default: return replacement(of: value, corpus: corpus, &random)
    }
  }

  private static func name(_ random: inout FuzzRandom) -> String {
    random.below(2) == 0 ? random.pick(RandomSyntax.names) : random.pick(RandomSyntax.subs)
  }

  private static func replacement(of value: JSON, corpus: FuzzCorpus, _ random: inout FuzzRandom) -> JSON {
    switch random.below(14) {
    case 0: .null
    case 1: .bool(random.below(2) == 0)
    case 2: .integer(Int64(truncatingIfNeeded: random.next()))
    case 3: .double(Double(random.below(1000)) / 8)
    case 4: .string("")
    case 5: .array([value])
    case 6: .array([])
    case 7: .object(JSONObject([.init(key: random.pick(RandomSyntax.subs), value: value)]))
    case 8: .string(RandomSyntax.path(&random))
    case 9: .string(String(decoding: value.encoded(), as: UTF8.self))
    case 10: .string(random.pick(["True", "false", "add", "Replace", "remove", "7", "work", "bulkId:x"]))
    default: random.pick(corpus.values)
    }
  }
}
